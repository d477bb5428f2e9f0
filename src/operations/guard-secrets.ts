import type { ChatEvent } from '../analyst/domain/chat/event.ts'
import { redactDeep } from '../kernel/domain/secrets/redact-deep.ts'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import { plural } from '../kernel/domain/text.ts'
import type { Files } from '../kernel/ports/files.ts'
import type { Context, Offered } from './context.ts'
import type { Operation } from './operation.ts'
import { redactedStore } from './redacted-store.ts'

/** Guards an operation against secrets in its input and output. */
export interface SecretGuard {
  readonly ctx: Context
  input<T>(input: T): T
  output(output: Record<string, unknown>): Record<string, unknown>
  /** Notice to the author about redactions; empty if there were none, or if the answer itself reports them. */
  notice(): string
}

export function guardSecrets(ctx: Context, operation: Operation): SecretGuard {
  const isKept = operation.effect === 'write' && !operation.asGiven
  let taken = 0
  const take = <T>({ value, count }: { value: T; count: number }): T => {
    taken += count
    return value
  }
  const asText = ({ text, count }: { text: string; count: number }) => ({ value: text, count })
  return {
    ctx: {
      ...ctx,
      record: async (project, at) =>
        redactedStore(await ctx.record(project, at), { exact: operation.exact, takenOut: (count) => (taken += count) }),
      // A team server has no files.
      ...(isKept &&
        (ctx as Offered).files !== undefined && {
          files: guardedFiles(ctx.files, (text) => take(asText(redactSecrets(text)))),
        }),
      redactor: {
        async redact(text) {
          const redacted = redactSecrets(text)
          taken += redacted.count
          return redacted
        },
      },
      ...(ctx.confirm && { confirm: (question: string) => ctx.confirm!(redactSecrets(question).text) }),
      ...(ctx.ask && { ask: (question, how) => ctx.ask!(redactSecrets(question).text, how) }),
      ...(ctx.hear && { hear: (event: ChatEvent) => ctx.hear!(redactedEvent(event)) }),
    },
    input: (input) => (isKept ? take(redactDeep(input)) : input),
    output(output) {
      const asMade = Object.entries(output).filter(([name]) =>
        [operation.showsOnce, ...operation.holdsFile].includes(name),
      )
      const { value: clean } = redactDeep({ ...output, ...Object.fromEntries(asMade.map(([name]) => [name, ''])) })
      const value = { ...clean, ...Object.fromEntries(asMade) }
      return taken > 0 && isKept ? { ...value, redacted: taken + Number(value['redacted'] ?? 0) } : value
    },
    notice: () => (taken > 0 && isKept && !('redacted' in operation.output.shape) ? toldAuthor(taken) : ''),
  }
}

/** Images are not redacted: a secret-like match in one is chance. */
const redactedEvent = (event: ChatEvent): ChatEvent =>
  event.type === 'part' && event.part.kind === 'image' ? event : redactDeep(event).value

const toldAuthor = (count: number): string =>
  `${plural(count, 'secret was', 'secrets were')} taken out before this was stored. Keep them in a secret manager, and change any that others may have seen.`

const guardedFiles = (files: Files, redact: (text: string) => string): Files => ({
  ...files,
  write: (path, data, options) => files.write(path, typeof data === 'string' ? redact(data) : data, options),
})
