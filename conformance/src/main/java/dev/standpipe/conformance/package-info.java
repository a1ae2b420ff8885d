/**
 * What every database and every release must keep. {@code StoreContract} and {@code EngineContract}
 * gather the contracts of the rooms below; a test of a database extends both.
 *
 * <ul>
 *   <li>{@code store.task}, {@code store.run}, {@code store.process}: what a store does
 *   <li>{@code flow}, {@code operate}, {@code engine}: what users may rely on, through the API
 *       alone
 *   <li>{@code fixture}, {@code server}: what the contracts and the fault tests work with
 * </ul>
 */
@NullMarked
package dev.standpipe.conformance;

import org.jspecify.annotations.NullMarked;
