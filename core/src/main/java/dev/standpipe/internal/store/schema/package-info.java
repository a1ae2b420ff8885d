/** Makes the tables, and recognises those it does not fit. */
@NullMarked
package dev.standpipe.internal.store.schema;

import org.jspecify.annotations.NullMarked;
