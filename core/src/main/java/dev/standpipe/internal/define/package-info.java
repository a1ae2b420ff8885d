/**
 * What a pipeline is while it is being defined. The API's {@code Flow}, {@code Node}, {@code Each},
 * {@code Divert}, {@code Await} and {@code Callback} are typed views of the drafts here; the drafts
 * know nothing of them.
 *
 * <p>{@link dev.standpipe.internal.define.DefinitionBuilder} goes through a definition from its
 * first node to its graph: the wiring adds a {@link dev.standpipe.internal.define.NodeDraft} per
 * node to the {@link dev.standpipe.internal.define.FlowDraft}, {@code Barriers} turns barriers into
 * edges, {@code Validation} lists every mistake, and the {@link
 * dev.standpipe.internal.define.Definition} is what a {@code Pipeline} keeps. {@link
 * dev.standpipe.internal.define.Bodies} takes the types off step bodies.
 *
 * <p>Nothing here is thread-safe, and nothing here changes once the definition has ended.
 */
@NullMarked
package dev.standpipe.internal.define;

import org.jspecify.annotations.NullMarked;
