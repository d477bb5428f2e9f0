import type { ProvenExample } from '../../context/domain/examples/proven-example.ts'
import { readExampleFiles } from '../../context/example-files.ts'
import type { ContextProject } from '../../context/ports/context-project.ts'
import { saidAround } from '../../evaluation/draft-feedback.ts'
import { casesIn } from '../../evaluation/operations/tests-here.ts'
import type { EvaluationState } from '../../evaluation/ports/evaluation-state.ts'
import type { Given } from '../../operations/context.ts'
import type { AnalystState } from '../ports/analyst-state.ts'

interface ExamplesHere {
  readonly project: ContextProject
  /** Without test runs if the state has only the analyst's part. */
  readonly state: AnalystState & Partial<Pick<EvaluationState, 'runs'>>
  readonly projectKey: string
  /** The current chat, which the model sees anyway. */
  readonly chat: string
}

/**
 * Questions and the SQL that answered them: queries/, tests that passed when they last ran, and the user's own upvoted
 * answers. A test runs in a separate state without runs and votes, so it never sees its expected answer.
 */
export async function provenExamples(ctx: Given, here: ExamplesHere): Promise<readonly ProvenExample[]> {
  const databases = here.project.config.databases.map(({ name }) => name)
  const written = (await readExampleFiles(here.project.files, databases))
    .filter(({ fault }) => fault === undefined)
    .map(({ path, question, sql, database }) => ({ from: path, question, sql, database }))
  return [...written, ...(await fromTests(ctx, here)), ...(await fromVotes(ctx, here))]
}

const MOST_RUNS = 5

async function fromTests(
  { files, user }: Given,
  { project, state, projectKey }: ExamplesHere,
): Promise<readonly ProvenExample[]> {
  if (files === undefined || state.runs === undefined) return []
  const runs = await state.runs.list({ user, project: projectKey, limit: MOST_RUNS })
  if (runs.length === 0) return []
  // The newest run of a case decides.
  const passed = new Map<string, boolean>()
  for (const { id } of runs) {
    const attempts = Map.groupBy(await state.runs.attempts(id, { brief: true }), (one) => `${one.case}\n${one.hash}`)
    for (const [key, tries] of attempts)
      if (!passed.has(key))
        passed.set(
          key,
          tries.every(({ outcome }) => outcome === 'passed'),
        )
  }
  const { cases } = await casesIn({ files }, { root: project.root, within: 'tests' })
  return cases.flatMap(({ id, hash, file, test }) =>
    test.kind === 'sql' && test.earlier.length === 0 && passed.get(`${id}\n${hash}`) === true
      ? [
          {
            from: `tests/${file}`,
            question: test.prompt,
            sql: test.sql.replace(/[;\s]+$/, ''),
            database: test.database,
          },
        ]
      : [],
  )
}

const MOST_VOTES = 200
const MOST_ANSWERS = 30

async function fromVotes(
  { user }: Given,
  { state, projectKey, chat: current }: ExamplesHere,
): Promise<readonly ProvenExample[]> {
  const votes = (await state.feedback.votes({ user, limit: MOST_VOTES })).filter(
    ({ vote, chat }) => vote === 'up' && chat !== current,
  )
  const answers = votes.slice(0, MOST_ANSWERS).map(async ({ chat: id, message }): Promise<ProvenExample[]> => {
    const chat = await state.chats.find(id, user)
    if (chat === undefined || chat.project !== projectKey || chat.deletedAt !== undefined) return []
    const last = (await state.queries.list(id)).findLast((query) => query.message === message)
    if (last === undefined) return []
    const { question, earlier } = await saidAround(state, id, message)
    // A follow-up question depends on the previous question.
    const whole = [...earlier.slice(-1), question].join(' ')
    return [{ from: `chat ${id}`, question: whole, sql: last.sql, database: last.database }]
  })
  return (await Promise.all(answers)).flat()
}
