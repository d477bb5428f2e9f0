import type { Tracer } from '../../kernel/ports/tracer.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'

/** The same operations, with a span for each run. */
export const tracedOperations = (
  operations: readonly RegisteredOperation[],
  tracer: Tracer,
): readonly RegisteredOperation[] =>
  operations.map((operation) => ({
    ...operation,
    run: (context, input) =>
      tracer.span(
        operation.name,
        { facts: { 'ken.effect': operation.effect, 'ken.surface': context.origin?.surface ?? '' } },
        () => operation.run(context, input),
      ),
  }))
