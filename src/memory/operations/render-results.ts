import type { z } from 'zod'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { wordMarker } from '../../kernel/domain/view/mark-words.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { fitWidth, wrapWidth } from '../../kernel/domain/view/width.ts'
import type { hitFields, SearchInput, SearchOutput } from './memory-answer.ts'

export function renderResults(output: SearchOutput, input: SearchInput, view: View = PLAIN): string {
  const notes = output.notes.map((note) => view.mark('dim', `(${note})`))
  const facts = renderFacts(output.facts ?? [], view)
  if (output.results.length === 0) {
    const nearest = (output.nearest ?? []).flatMap(({ id, path, title, start_line, end_line, snippet }) => {
      const lines = `:${start_line}-${end_line}`
      const place = view.reader === 'agent' ? `${id}${lines}` : `${id} ${path}${lines}`
      const head = `${INDENT}${fitWidth(title, view.width - INDENT.length)}  ${view.mark('dim', place)}`
      return snippet === '' ? [head] : [head, `${INDENT}${INDENT}${fitWidth(snippet, view.width - 2 * INDENT.length)}`]
    })
    const said =
      nearest.length > 0
        ? 'Nothing stands out'
        : output.vectors_pending === undefined
          ? 'Nothing found'
          : 'Vectors are missing, and nothing was found yet'
    return [
      ...facts,
      `${said} for "${ellipsis(input.query, 80)}".${nearest.length > 0 ? ' The nearest, probably about something else:' : ''}`,
      ...nearest,
      ...notes,
    ].join('\n')
  }
  const marked = wordMarker(input.query, view)
  const root = view.reader === 'agent' ? commonFolder(output.results.filter(isFile).map(({ path }) => path)) : ''
  const blocks = output.results.map((result, i) => {
    const facts = [
      result.origin,
      result.trust,
      result.verdict,
      result.unavailable && 'unavailable',
      view.verbose && `score ${result.score.toFixed(3)}`,
      changed(result, view),
      result.by !== undefined && `by ${result.by}`,
      result.from_team && 'shared with the team',
      result.belongs_to !== undefined && `of ${result.belongs_to}`,
    ].filter(Boolean)
    const head = headOf(result, i + 1, { facts: facts.join(' · '), root, view, marked })
    // An agent reads the best hits, and only scans the others.
    if (view.reader === 'agent' && i >= SHOWN_WHOLE)
      return `${head.map((line) => line.trim()).join(' · ')}${result.standing === undefined ? '' : ` · no longer holds: ${standingOf(result)}`}`
    return [
      ...head,
      ...(result.standing === undefined
        ? []
        : [`${INDENT}${view.mark('warning', `no longer holds: ${standingOf(result)}`)}`]),
      ...snippetLines(withoutTitle(result), view).map((line) => `${INDENT}${marked(line)}`),
      ...partLines(result.parts ?? [], view, marked),
      ...(result.repeats === undefined ? [] : [`${INDENT}${view.mark('dim', repeatsOf(result.repeats))}`]),
    ].join('\n')
  })
  const below = root === '' ? '' : `, paths below ${root}`
  const [whole, named] = [blocks.slice(0, SHOWN_WHOLE), blocks.slice(SHOWN_WHOLE)]
  return [
    ...(facts.length === 0 ? [] : [facts.join('\n')]),
    `${plural(output.results.length, 'result')} for "${ellipsis(input.query, 80)}" (${output.stages.join(' + ')})${below}:`,
    ...notes,
    ...(view.reader === 'agent' ? [...whole, ...(named.length === 0 ? [] : [named.join('\n')])] : blocks),
  ].join('\n\n')
}

/** Number of hits shown to an agent with their text; the others take a line each. */
const SHOWN_WHOLE = 3
const LONGEST_SESSION_TITLE = 80

const DEEDS: Readonly<Record<Fact['kind'], string>> = {
  read: 'read',
  changed: 'changed',
  command: 'ran',
  commit: 'committed',
  branch: 'created branch',
  tests: 'fixed',
  added: 'added',
  removed: 'removed',
}

type Fact = NonNullable<SearchOutput['facts']>[number]

function renderFacts(facts: readonly Fact[], view: View): string[] {
  if (facts.length === 0) return []
  return [
    'From tool calls of sessions:',
    ...facts.map(({ kind, what, ok, at, turn, session, client }) => {
      const outcome = kind === 'command' && ok !== true ? (ok === null ? ' (no outcome)' : ' (failed)') : ''
      const place = view.mark('dim', `${client} session ${session}, turn ${turn}`)
      return `- ${at.slice(0, 16).replace('T', ' ')} ${DEEDS[kind]} ${what}${outcome}  ${place}`
    }),
  ]
}

type Result = z.output<typeof hitFields>

/** Whether an agent may want to open the file itself; a session or a note is read by its id. */
const isFile = ({ origin }: Result): boolean => origin !== 'session' && origin !== 'note'

/** The folder that all paths share, with a trailing slash; empty if naming it once saves nothing. */
function commonFolder([first, ...others]: readonly string[]): string {
  if (first === undefined || others.length === 0) return ''
  let folder = first.slice(0, first.lastIndexOf('/') + 1)
  // A team's paths may begin without a slash, so even the root may not be shared.
  while (!others.every((path) => path.startsWith(folder)))
    folder = folder === '/' ? '' : folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1)
  return folder.length > 1 ? folder : ''
}

/**
 * Title, place and facts. An agent pays for every character, so it gets them in two lines, with a place that it can
 * read.
 */
function headOf(
  result: Result,
  number: number,
  { facts, root, view, marked }: { facts: string; root: string; view: View; marked: (text: string) => string },
): string[] {
  const lines = `:${result.start_line}-${result.end_line}`
  if (view.reader === 'agent') {
    const place = isFile(result) ? `${result.path.slice(root.length)}${lines} · ${result.id}` : `${result.id}${lines}`
    const title = result.origin === 'session' ? ellipsis(result.title, LONGEST_SESSION_TITLE) : result.title
    return [`${number}. ${title}`, `${INDENT}${place} · ${facts}`]
  }
  const title = fitWidth(result.title, view.width - INDENT.length - 2 - result.id.length)
  return [
    `${number}. ${view.mark('title', marked(title))}  ${view.mark('dim', result.id)}`,
    `${INDENT}${view.mark('dim', `${result.path}${lines}`)}`,
    `${INDENT}${facts}`,
  ]
}

/** Parts with a text are on separate lines; the others share one line. */
function partLines(parts: NonNullable<Result['parts']>, view: View, marked: (text: string) => string): string[] {
  const place = ({ start_line, end_line }: (typeof parts)[number]) => `:${start_line}-${end_line}`
  const named = parts.filter(({ snippet }) => snippet === '')
  return [
    ...parts
      .filter(({ snippet }) => snippet !== '')
      .flatMap((part) => [
        `${INDENT}${view.mark('dim', `and ${place(part)}`)}`,
        ...snippetLines(part.snippet, view).map((line) => `${INDENT}${marked(line)}`),
      ]),
    ...(named.length === 0 ? [] : [`${INDENT}${view.mark('dim', `and ${named.map(place).join(', ')}`)}`]),
  ]
}

const repeatsOf = (ids: readonly string[]): string =>
  `and ${ids.length} nearly identical ${ids.length === 1 ? 'session' : 'sessions'}: ${ids.join(', ')}`

const standingOf = ({ standing, superseded_by: by }: z.output<typeof hitFields>): string =>
  by === undefined ? standing! : `superseded by ${by}`

const age = (days: number): string => (days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`)

/** Relative for an agent, which may not know the current date; a date for a program, which compares. */
const changed = ({ modified, age_days: days }: { modified: string; age_days: number }, view: View): string =>
  view.reader === 'agent'
    ? age(days)
    : view.now === undefined
      ? modified.slice(0, 10)
      : dated(modified.replace(/T00:00:00\.000Z$/, ''), view)

const INDENT = '   '

/** The title of a short note is its text, which is not shown twice. */
const withoutTitle = ({ title, snippet }: { title: string; snippet: string }): string =>
  snippet
    .split('\n')
    .filter((line) => line.trim() !== title)
    .join('\n')
    .trim()

const snippetLines = (snippet: string, view: View): string[] =>
  (snippet === '' ? [] : snippet.split('\n')).flatMap((line) =>
    view.width === Infinity || line.trim() === '' ? [line] : wrapKept(line, view.width - 3),
  )

/** A line that fits is kept as is: it may be code. */
const wrapKept = (line: string, width: number): string[] => {
  const short = line.replaceAll('\t', '  ')
  return fitWidth(short, width) === short ? [short] : wrapWidth(short, width)
}
