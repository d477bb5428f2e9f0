import { ellipsis, inBytes, plural } from '../../kernel/domain/text.ts'
import { DUE_WORDS, type DueReason } from '../domain/context-project/due-items.ts'
import type { SyncOutput } from './sync-sources.ts'

const SHOWN = 20
const LARGEST_SHOWN = 5
const SLOW_MS = 1_000

export function renderSync(output: SyncOutput): string {
  const width = Math.max(0, ...output.sources.map((source) => source.source.length))
  const rows = output.sources.map(
    (source) =>
      `  ${source.source.padEnd(width)}  ${source.error ?? countsOf(source, output.wrote)}  ${secondsOf(source.milliseconds)}`,
  )
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0
      ? []
      : [
          '',
          title,
          ...lines.slice(0, SHOWN).map((line) => `  ${line}`),
          ...(lines.length > SHOWN ? [`  and ${lines.length - SHOWN} more`] : []),
        ]
  return [
    ...rows,
    ...(output.wrote
      ? []
      : list(
          'Would be fetched:',
          output.due.map(
            ({ source, item, reason }) => `${source} ${item} (${DUE_WORDS[reason as DueReason] ?? reason})`,
          ),
        )),
    ...list(output.wrote ? 'Removed, because the source no longer has them:' : 'Would be removed:', output.removed),
    ...list(
      'Failed; the old files stay and are marked as old:',
      output.failures.map(
        ({ source, item, message }) => `${[source, item].filter(Boolean).join(' ')}: ${ellipsis(message, 300)}`,
      ),
    ),
    ...list('Left alone, because they were made or edited by hand:', output.kept),
    ...list(
      'Skipped:',
      output.skipped.map(({ item, message }) => `${item}: ${message}`),
    ),
    ...list(
      'Slowest:',
      output.slow
        .filter(({ milliseconds }) => milliseconds >= SLOW_MS)
        .map(({ item, milliseconds }) => `${secondsOf(milliseconds)}  ${item}`),
    ),
    ...(output.wrote && hasChanged(output) ? list('Largest, in tokens:', largest(output)) : []),
    ...list('Look at these:', [
      ...output.warnings,
      ...output.stale_examples.map(({ path, question, reason }) => `${path}: "${question}" is stale: ${reason}`),
    ]),
    '',
    conclusion(output),
  ].join('\n')
}

function countsOf(source: SyncOutput['sources'][number], wrote: boolean): string {
  const parts = [
    plural(source.listed, 'item'),
    source.written > 0 ? `${source.written} ${wrote ? 'written' : 'to fetch'}` : '',
    source.unchanged > 0 ? `${source.unchanged} unchanged` : '',
    source.removed > 0 ? `${source.removed} ${wrote ? 'removed' : 'to remove'}` : '',
    source.failed > 0 ? `${source.failed} failed` : '',
    source.billed_bytes === undefined
      ? ''
      : `${wrote ? 'billed for' : 'would be billed for up to'} ${inBytes(source.billed_bytes)}`,
    source.tokens > 0 ? `${plural(source.files, 'file')} of ${counted(source.tokens)} tokens` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

/** One line about the changes made by another sync; undefined if there are none. */
export function changesOf(output: SyncOutput): string | undefined {
  const [failure] = output.failures
  if (failure !== undefined)
    return `${plural(output.failures.length, 'failure')}: ${[failure.source, failure.item].filter(Boolean).join(' ')}: ${ellipsis(failure.message, 300)}`
  if (!hasChanged(output)) return undefined
  return output.sources
    .filter(isChanged)
    .map((source) => `${source.source}: ${countsOf(source, output.wrote)}`)
    .join('; ')
}

const isChanged = ({ written, removed }: SyncOutput['sources'][number]): boolean => written + removed > 0
const hasChanged = (output: SyncOutput): boolean => output.sources.some(isChanged)

function largest({ file_tokens }: SyncOutput): readonly string[] {
  const shown = file_tokens.slice(0, LARGEST_SHOWN).map(({ path, tokens }) => [counted(tokens), path] as const)
  const width = Math.max(0, ...shown.map(([tokens]) => tokens.length))
  return shown.map(([tokens, path]) => `${tokens.padStart(width)}  ${path}`)
}

const counted = (count: number): string => count.toLocaleString('en-US')
const secondsOf = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

function conclusion(output: SyncOutput): string {
  if (output.wrote) {
    const masked = output.redacted > 0 ? ` ${plural(output.redacted, 'secret')} masked.` : ''
    const searched =
      output.collection === undefined ? '' : ` The memory searches them as the collection "${output.collection}".`
    return `${plural(output.files, 'file')}, about ${counted(output.tokens)} tokens, in ${output.root}; llms.txt lists them.${masked}${searched}`
  }
  const changes = output.due.length + output.removed.length
  return changes === 0 ? 'Up to date.' : `${plural(changes, 'item')} would change; nothing was written.`
}
