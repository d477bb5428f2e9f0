import { createHash } from 'node:crypto'
import type { HarvestedSession, Turn } from '../../memory/domain/session/session.ts'
import type { DemoClock } from './demo-clock.ts'

interface SpokenSession {
  readonly client: string
  readonly daysAgo: number
  readonly title: string
  readonly turns: readonly { readonly user: string; readonly agent: string; readonly tools?: readonly string[] }[]
}

/** Conversations between agents and a person while the example was built. */
const SPOKEN: readonly SpokenSession[] = [
  {
    client: 'claude-code',
    daysAgo: 47,
    title: 'Where product pictures should live',
    turns: [
      {
        user: 'The farms want to upload pictures. Where do we put them? Nothing that needs another account please.',
        agent:
          'I checked the record: "Use Postgres as the only datastore" says everything lives there until a measurement says otherwise. Pictures of at most 200 kB fit, and one backup holds all. I would keep them in a table and write it down as a proposal.',
        tools: ['check_decision pictures in the database', 'propose_decision'],
      },
      {
        user: 'Fine for now. Make them smaller on upload, and never larger than 200 kB.',
        agent:
          'Done: src/pictures/shrink.ts scales to 1200 pixels and lowers the quality until it is below 200 kB. The tests use three real photographs of apples.',
        tools: ['edit src/pictures/shrink.ts', 'npm test'],
      },
    ],
  },
  {
    client: 'gemini-cli',
    daysAgo: 33,
    title: 'A planner that is done before the farmers pack',
    turns: [
      {
        user: 'Planning takes eleven hours for the largest night. It has to be done by five in the morning.',
        agent:
          'The exact solver explores too much. A greedy pass by time window and then 2-opt for two hours was within 4 % of the best known plan on the ten nights in test/nights. I proposed that as a decision and kept the solver as a check for small nights.',
        tools: ['run bench/planner.ts', 'propose_decision'],
      },
      {
        user: 'What happens when it is not done by five?',
        agent: 'Then yesterday’s plan would be used, but nobody has decided that. I flagged it as a question for you.',
        tools: ['flag_question'],
      },
    ],
  },
  {
    client: 'codex',
    daysAgo: 18,
    title: 'The report that stopped the shop',
    turns: [
      {
        user: 'On Saturday the shop stood still for nine seconds. Find out why.',
        agent:
          'The report of the year ran at 10:14 on the primary and held 6.1 million rows of order lines. Reads of reports can go to the replica, which is two to five seconds behind. I moved src/reports to the replica connection.',
        tools: ['read logs/2026-saturday.txt', 'edit src/reports/connection.ts'],
      },
      {
        user: 'Good. Also tell me in the report how old its data is.',
        agent:
          'Each report now ends with the time of the replica. If it is more than a minute behind, the line is marked.',
        tools: ['edit src/reports/footer.ts'],
      },
    ],
  },
  {
    client: 'claude-code',
    daysAgo: 11,
    title: 'Links by mail instead of passwords',
    turns: [
      {
        user: 'Build the sign-in by link. Valid for ten minutes, once. Remember that sessions can be revoked.',
        agent:
          'The link carries a random id whose hash is a row with a time; using it removes the row in the same transaction that starts the session. The session id is checked against the table of revoked ids on every write, as decided.',
        tools: ['get_decision decision-007', 'edit src/session.ts', 'npm test'],
      },
      {
        user: 'Some mail programs open every link to look at it. Then it is used up.',
        agent:
          'Opening only shows a page with one button; the button uses the link. A program that only looks leaves it alone.',
        tools: ['edit src/session.ts'],
      },
    ],
  },
  {
    client: 'opencode',
    daysAgo: 5,
    title: 'How many customers come back',
    turns: [
      {
        user: 'Which share of customers bought again within 60 days? By month of the first order.',
        agent:
          'With payments only, as revenue is defined: between 31 % and 38 % each month of this year. I kept the statement in queries/ so that the next one does not start anew.',
        tools: ['execute_sql', 'write queries/came-back.sql'],
      },
    ],
  },
  {
    client: 'claude-code',
    daysAgo: 1,
    title: 'December slots',
    turns: [
      {
        user: 'Open the slots of the last week of December on the first, not before. Is there a switch for it?',
        agent:
          'There is: feature switches are rows since last week. I added december_slots and a job that turns it on at six in the morning of the first.',
        tools: ['check_decision feature switch for slots', 'edit src/jobs/open-slots.ts'],
      },
      {
        user: 'From now on show me dates as 1 December, not as 12/01.',
        agent: 'Noted. The message to the farms says 1 December.',
      },
    ],
  },
]

/** Returns the sessions as a harvester would have read them from each agent's logs. */
export const demoSessions = (folder: string, clock: DemoClock): readonly HarvestedSession[] =>
  SPOKEN.map(({ client, daysAgo, title, turns }) => {
    const at = (minute: number): string =>
      new Date(Date.parse(clock.moment(daysAgo, 9)) + minute * 60_000).toISOString()
    const told = turns.flatMap(({ user, agent, tools = [] }, index): Turn[] => [
      { role: 'user', text: user, at: at(index * 9) },
      {
        role: 'assistant',
        text: agent,
        at: at(index * 9 + 4),
        tools: tools.map((line) => {
          const [name = line, ...detail] = line.split(' ')
          return { name, ok: true, ...(detail.length > 0 && { detail: detail.join(' ') }) }
        }),
      },
    ])
    return {
      client,
      id: createHash('sha256').update(`${client} ${title}`).digest('hex').slice(0, 32),
      kind: 'main',
      parentId: null,
      files: [],
      projectDir: folder,
      projectHash: null,
      directory: folder,
      repo: null,
      gitBranch: 'main',
      clientVersion: null,
      title,
      titleFrom: 'session',
      startedAt: told[0]!.at,
      endedAt: told.at(-1)!.at,
      archived: false,
      turns: told,
      abandonedTurns: [],
      compactionSummaries: [],
      badLines: 0,
      partialTail: false,
    }
  })
