/** What users may rely on when a step writes in the transaction that it is committed in. */
@NullMarked
package dev.standpipe.conformance.transaction;

import org.jspecify.annotations.NullMarked;
