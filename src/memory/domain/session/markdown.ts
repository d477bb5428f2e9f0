import { parse } from 'yaml'
import { AppError } from '../../../kernel/domain/errors.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { CONFIG_BOUNDS, yamlExcess } from '../../../kernel/domain/yaml-bounds.ts'
import type { CompactionSummary, HarvestedSession, SessionKind, ToolCall, Turn } from './session.ts'

/** Session file under `sessions/<workspace>/`: facts as frontmatter, then every turn under a heading. */
export function sessionMarkdown(session: HarvestedSession, place: { readonly workspace: string }): string {
  const title = session.title ?? 'Untitled session'
  return [
    frontmatter(session, place.workspace),
    `# ${title.replace(/\s+/g, ' ')}\n`,
    ...session.turns.map(turnSection),
    ...session.compactionSummaries.map(summarySection),
  ].join('\n')
}

const HEADINGS = { user: 'User', assistant: 'Assistant', summary: 'Compaction summary' } as const

const OUTCOMES = { ok: true, failed: false, refused: false, unanswered: null } as const

function frontmatter(session: HarvestedSession, workspace: string): string {
  const facts = {
    session: session.id,
    client: session.client,
    kind: session.kind,
    date: session.startedAt.slice(0, 10),
    started: session.startedAt,
    ended: session.endedAt,
    title: session.title,
    project: session.projectDir,
    workspace,
    parent: session.parentId,
    branch: session.gitBranch,
    repository: session.repo,
    version: session.clientVersion,
  }
  // A JSON string is a YAML string on one line, so no value can end the block or add a key.
  const lines = Object.entries(facts).flatMap(([key, value]) =>
    value === null ? [] : [`${key}: ${JSON.stringify(value)}`],
  )
  return `---\n${lines.join('\n')}\n---\n`
}

function turnSection(turn: Turn): string {
  const facts = [fact('at', turn.at)]
  if (turn.aborted) facts.push(fact('aborted', 'true'))
  if (turn.role === 'user') {
    if (turn.queued) facts.push(fact('queued', 'true'))
    if (turn.images) facts.push(fact('images', String(turn.images)))
    if (turn.files) facts.push(fact('files', JSON.stringify(turn.files)))
  } else {
    facts.push(...turn.tools.map(toolFact))
  }
  return section(HEADINGS[turn.role], facts, turn.text)
}

const summarySection = (summary: CompactionSummary): string =>
  section(HEADINGS.summary, [fact('at', summary.at)], summary.text)

/** Heading, quoted facts, one blank line, the text as is, one blank line: the parser relies on exactly this. */
function section(heading: string, facts: readonly string[], text: string): string {
  return `## ${heading}\n${facts.map((each) => `> ${each}\n`).join('')}\n${escapeHeadings(text)}\n`
}

const fact = (name: string, value: string): string => `${name}: ${value}`

/**
 * Line for a tool call: `tool Bash: npm test (failed)`. Ambiguous values are quoted, so no log can add a line or a
 * fact.
 */
function toolFact({ name, ok, refused, detail }: ToolCall): string {
  const outcome = ok === null ? 'unanswered' : ok ? 'ok' : refused ? 'refused' : 'failed'
  const called = /^[\w./@-]+$/.test(name) ? name : JSON.stringify(name)
  const plain = detail === undefined || /^[^\s"\p{C}](?:[^\p{C}\u2028\u2029]*[^\s\p{C}])?$/u.test(detail)
  return `tool ${called}${detail === undefined ? '' : `: ${plain ? detail : JSON.stringify(detail)}`} (${outcome})`
}

// Any line that a reader or a renderer could take for one of our headings gets one more backslash; the parser removes
// one.
const LIKE_A_HEADING = /^( {0,3}\\*)(?=##[ \t]+(?:user|assistant|compaction summary)\b)/gim
const ESCAPED_HEADING = /^( {0,3}\\*)\\(?=##[ \t]+(?:user|assistant|compaction summary)\b)/gim

const escapeHeadings = (text: string): string => text.replace(LIKE_A_HEADING, '$1\\')

const unescapeHeadings = (text: string): string => text.replace(ESCAPED_HEADING, '$1')

/** Position of a part in the file: 1-based lines, `endLine` included. */
export interface Placed {
  readonly line: number
  readonly endLine: number
}

/** A session file for the index. */
export interface SessionDocument {
  readonly session: string
  readonly client: string
  readonly kind: SessionKind
  readonly started: string
  readonly ended: string
  readonly title: string | null
  readonly project: string | null
  readonly workspace: string | null
  readonly parent: string | null
  readonly branch: string | null
  readonly version: string | null
  readonly turns: readonly (Turn & Placed)[]
  readonly summaries: readonly (CompactionSummary & Placed)[]
}

/** Throws `damaged` if the frontmatter is missing or has no session id. */
export function parseSessionMarkdown(markdown: string): SessionDocument {
  const lines = markdown.split('\n')
  const end = lines.indexOf('---', 1)
  if (lines[0] !== '---' || end === -1) throw damaged('it has no frontmatter')
  const facts = readFacts(lines.slice(1, end))
  const { session, client, started } = facts
  if (session === undefined || client === undefined || started === undefined)
    throw damaged('its frontmatter lacks session, client or started')
  const sections = readSections(lines, end + 1)
  return {
    session,
    client,
    kind: facts.kind === 'fork' || facts.kind === 'subagent' ? facts.kind : 'main',
    started,
    ended: facts.ended ?? started,
    title: facts.title ?? null,
    project: facts.project ?? null,
    workspace: facts.workspace ?? null,
    parent: facts.parent ?? null,
    branch: facts.branch ?? null,
    version: facts.version ?? null,
    turns: sections.flatMap((section) => turnOf(section, started)),
    summaries: sections.flatMap((section) => summaryOf(section, started)),
  }
}

function damaged(what: string): AppError {
  const hint = 'Delete the file and harvest again; the original log is untouched.'
  return new AppError('damaged', `This is not a session file: ${what}.`, { hint })
}

type Facts = Partial<Record<string, string>>

/** Ken writes one JSON string per line; edits made by hand are parsed as YAML. */
function readFacts(lines: readonly string[]): Facts {
  const facts: Facts = {}
  for (const line of lines) {
    const [, key, value] = /^([a-z_]+): (".*")$/.exec(line) ?? []
    const read = readJson(value ?? '')
    if (key === undefined || typeof read !== 'string') return readYaml(lines)
    facts[key] = read
  }
  return facts
}

function readYaml(lines: readonly string[]): Facts {
  const text = lines.join('\n')
  if (yamlExcess(text, CONFIG_BOUNDS) !== undefined) throw damaged('its frontmatter is not one that Ken writes')
  try {
    const read: unknown = parse(text, { schema: 'failsafe', logLevel: 'error' })
    if (typeof read !== 'object' || read === null) return {}
    return Object.fromEntries(Object.entries(read).filter(([, value]) => typeof value === 'string')) as Facts
  } catch {
    throw damaged('its frontmatter is not YAML')
  }
}

interface Section extends Placed {
  readonly heading: string
  readonly facts: ReadonlyMap<string, string>
  readonly tools: readonly ToolCall[]
  readonly text: string
}

function readSections(lines: readonly string[], from: number): Section[] {
  const known: readonly string[] = Object.values(HEADINGS)
  const starts = lines.flatMap((line, i) =>
    i >= from && line.startsWith('## ') && known.includes(line.slice(3)) ? [i] : [],
  )
  return starts.map((start, n) => {
    const end = starts[n + 1] ?? lines.length
    const facts = new Map<string, string>()
    const tools: ToolCall[] = []
    let at = start + 1
    for (; at < end; at += 1) {
      const tool = readTool(lines[at] ?? '')
      const [, name, value] = /^> ([a-z]+): (.*)$/.exec(lines[at] ?? '') ?? []
      if (tool) tools.push(tool)
      else if (name !== undefined && value !== undefined) facts.set(name, value)
      else break
    }
    tools.push(...readToolList(facts.get('tools') ?? ''))
    const first = lines[at] === '' ? at + 1 : at
    // The last section ends in the file's final newline, every other one in a blank line; both are one empty element
    // here.
    const last = end > first && lines[end - 1] === '' ? end - 1 : end
    const text = unescapeHeadings(lines.slice(first, last).join('\n'))
    return { heading: lines[start]!.slice(3), facts, tools, text, line: start + 1, endLine: Math.max(start + 1, last) }
  })
}

function turnOf(section: Section, started: string): (Turn & Placed)[] {
  const { facts, text, line, endLine } = section
  const shared = { text, at: facts.get('at') ?? started, ...(facts.has('aborted') ? { aborted: true as const } : {}) }
  if (section.heading === HEADINGS.assistant)
    return [{ role: 'assistant', ...shared, tools: section.tools, line, endLine }]
  if (section.heading !== HEADINGS.user) return []
  const images = Number(facts.get('images') ?? 0)
  const files = readFiles(facts.get('files') ?? '[]')
  return [
    {
      role: 'user',
      ...shared,
      ...(facts.has('queued') ? { queued: true as const } : {}),
      ...(images > 0 ? { images } : {}),
      ...(files.length > 0 ? { files } : {}),
      line,
      endLine,
    },
  ]
}

function summaryOf({ heading, facts, text, line, endLine }: Section, started: string): (CompactionSummary & Placed)[] {
  return heading === HEADINGS.summary ? [{ at: facts.get('at') ?? started, text, line, endLine }] : []
}

function readTool(line: string): ToolCall | undefined {
  const [, name, detail, outcome] =
    /^> tool ("(?:[^"\\]|\\.)*"|[^\s:"]+)(?:: (.*))? \((ok|failed|refused|unanswered)\)$/su.exec(line) ?? []
  if (name === undefined) return undefined
  return {
    name: unquoted(name),
    ok: OUTCOMES[outcome as keyof typeof OUTCOMES],
    ...(outcome === 'refused' && { refused: true as const }),
    ...(detail === undefined ? {} : { detail: unquoted(detail) }),
  }
}

/** Parses all calls of a turn on one line: an older format, kept for sessions whose logs were deleted. */
function readToolList(text: string): ToolCall[] {
  return [...text.matchAll(/("(?:[^"\\]|\\.)*"|[^\s,"]+) (ok|failed|unanswered)(?:, |$)/g)].map(
    ([, name = '', outcome]) => ({ name: unquoted(name), ok: OUTCOMES[outcome as keyof typeof OUTCOMES] }),
  )
}

const unquoted = (text: string): string => (text.startsWith('"') ? String(readJson(text) ?? text) : text)

function readFiles(text: string): string[] {
  const read = readJson(text)
  return Array.isArray(read) ? read.filter((name) => typeof name === 'string') : []
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Named = Pick<HarvestedSession, 'client' | 'id' | 'title' | 'startedAt'>

const LONGEST_SLUG = 50

/** `<date>-<slug>-<id>.md`. Date and slug may change as a session goes on; the id at the end never does. */
export function sessionFileName(session: Named): string {
  return `${session.startedAt.slice(0, 10)}-${slug(session.title ?? '') || 'session'}-${sessionFileId(session)}.md`
}

/** Id that is short, safe in any file system, and unique even if a client's ids begin alike. */
export function sessionFileId(session: Pick<Named, 'client' | 'id'>): string {
  return sha256(`${session.client}\n${session.id}`).slice(0, 12)
}

function slug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (words.length <= LONGEST_SLUG) return words
  const cut = words.slice(0, LONGEST_SLUG)
  return cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut
}
