import { redactSecrets } from '../../../kernel/domain/secrets/redact.ts'
import { head } from '../../../kernel/domain/text.ts'
import type { Conversation } from './assemble.ts'
import type { HarvestedSession, TitleSource, Turn } from './session.ts'

/** Facts about a session besides its turns; fields that the client does not record are omitted. */
export interface SessionFacts
  extends
    Pick<HarvestedSession, 'client' | 'id' | 'kind' | 'parentId' | 'files' | 'projectDir'>,
    Partial<
      Pick<
        HarvestedSession,
        'projectHash' | 'directory' | 'repo' | 'gitBranch' | 'clientVersion' | 'archived' | 'badLines' | 'partialTail'
      >
    > {
  /** Titles in order of weight; the first one with text wins, with the first prompt as a fallback. */
  readonly titles: readonly (readonly [TitleSource, string | undefined])[]
}

/** Undefined if no turns remain besides copied and rolled-back ones. */
export function composeSession(facts: SessionFacts, said: Conversation): HarvestedSession | undefined {
  if (said.startedAt === undefined || said.endedAt === undefined) return undefined
  const { titles, ...known } = facts
  const inProject = withinProject(known.projectDir)
  const [titleFrom, title] = titles
    .map(([from, text]) => [from, promptTitle(text ?? '')] as const)
    .find(([, text]) => text !== null) ?? ['first-prompt' as const, firstPrompt(said.turns)]
  return {
    projectHash: null,
    directory: known.projectDir,
    repo: null,
    gitBranch: null,
    clientVersion: null,
    archived: false,
    badLines: 0,
    partialTail: false,
    ...known,
    title,
    titleFrom: title === null ? null : titleFrom,
    startedAt: said.startedAt,
    endedAt: said.endedAt,
    turns: said.turns.map(inProject),
    abandonedTurns: said.abandoned.map(inProject),
    compactionSummaries: said.summaries,
  }
}

/** Shortens paths below the project as people write them: `src/x.ts` for `/home/dev/app/src/x.ts`. */
function withinProject(projectDir: string | null): (turn: Turn) => Turn {
  const root = projectDir?.replace(/[\\/]+$/, '') ?? ''
  if (root === '') return (turn) => turn
  const path = new RegExp(`(?<=^|[\\s'"=:(])${root.replace(/[^\w\s]/g, '\\$&')}[\\\\/](?=[^\\s'"])`, 'g')
  return (turn) => {
    if (turn.role === 'user' || turn.tools.every(({ detail }) => detail === undefined)) return turn
    const tools = turn.tools.map((call) =>
      call.detail === undefined ? call : { ...call, detail: call.detail.replace(path, '') },
    )
    return { ...turn, tools }
  }
}

const LONGEST_TITLE = 120

function firstPrompt(turns: readonly Turn[]): string | null {
  const prompt = turns.find((turn) => turn.role === 'user' && turn.text !== '')
  return promptTitle(prompt?.text ?? '')
}

/** The first line of a prompt, truncated at a word if too long for a heading. */
function promptTitle(text: string): string | null {
  const line = text
    .split('\n')
    .map((each) => each.replace(/\s+/g, ' ').trim())
    .find((each) => each !== '')
  if (line === undefined) return null
  if (line.length <= LONGEST_TITLE) return line
  const cut = head(redactSecrets(line).text, LONGEST_TITLE)
  const space = cut.lastIndexOf(' ')
  return `${(space > LONGEST_TITLE / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
