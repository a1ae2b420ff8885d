/**
 * What the database says about runs, their steps and their attempts: immutable records, each a
 * picture of one moment.
 */
@NullMarked
package dev.standpipe.info;

import org.jspecify.annotations.NullMarked;
