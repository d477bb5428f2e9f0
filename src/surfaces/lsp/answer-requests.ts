import type { Connection } from 'vscode-languageserver/node'
import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { visibleDeep } from '../../kernel/domain/trust/visible.ts'
import type { CatalogueEntry } from '../../record/domain/decision/catalogue.ts'
import { decisionNumber } from '../../record/domain/decision/decision-id.ts'
import { label } from '../../record/domain/decision/decision.ts'
import { QUESTIONS } from '../../record/domain/files.ts'
import { openQuestions } from '../../record/domain/question.ts'
import type { EditorProject, EditorProjects } from './open-projects.ts'

const uri = z.string().max(4_096)
const MOST_FOUND = 20

interface Parts {
  readonly projects: EditorProjects
  answered<T>(work: Promise<T>): Promise<T>
}

/**
 * Requests of Ken's own extensions, beyond the protocol: `ken/decisions` for a document, `ken/search`, `ken/check` of a
 * text, and `ken/status` of the open folders.
 */
export function answerRequests(connection: Connection, { projects, answered }: Parts): void {
  const on = <T>(method: string, shape: z.ZodType<T>, work: (input: T) => Promise<unknown>) =>
    connection.onRequest(method, (given: unknown) =>
      answered(
        (async () => {
          const parsed = shape.safeParse(given)
          if (!parsed.success) throw new AppError('invalid_input', `The parameters of ${method} are not valid.`)
          return visibleDeep(await work(parsed.data))
        })(),
      ),
    )

  on('ken/decisions', z.object({ uri }), async (input) => {
    const place = await projects.placeOf(input.uri)
    if (place === undefined || place.isRecord) return []
    await place.project.judge.refreshRecord()
    return place.project.judge.governing(place.path).map((entry) => shown(place.project, entry))
  })
  on('ken/search', z.object({ uri: uri.optional(), query: z.string().min(1).max(1_000) }), async (input) => {
    const project = await projectFor(projects, input.uri)
    const { results } = await project.run('search_decisions', { query: input.query, limit: MOST_FOUND })
    return byNumber(project, results)
  })
  on('ken/check', z.object({ uri, text: z.string().min(1).max(10_000) }), async (input) => {
    const place = await projects.placeOf(input.uri)
    const project = await projectFor(projects, input.uri)
    const files = place === undefined || place.isRecord ? [] : [place.path]
    const answer = await project.run('check_decision', { proposed_approach: input.text, files })
    return { assessment: answer['assessment'], decisions: await byNumber(project, answer['related_decisions']) }
  })
  on('ken/status', z.unknown(), () =>
    Promise.all(
      projects.folders().map(async (folder) => {
        const found = await projects.stateOf(folder)
        if (found.state !== 'ready') return { folder, ...found }
        const { store, judge } = found.project
        await judge.refresh()
        const { decisions } = judge.record()
        return {
          folder,
          state: 'ready',
          name: store.project.name,
          active: decisions.filter(({ status }) => status === 'active').length,
          proposed: decisions.filter(({ trust }) => trust === 'proposed by an agent').length,
          questions: openQuestions((await store.read(QUESTIONS)) ?? '').length,
          unreadable: (await store.catalogue()).unreadable.length,
        }
      }),
    ),
  )
}

async function projectFor(projects: EditorProjects, document: string | undefined): Promise<EditorProject> {
  const place = document === undefined ? undefined : await projects.placeOf(document)
  const project = place?.project ?? (await projects.all())[0]
  if (project === undefined)
    throw new AppError('not_found', 'No open folder has a record that is trusted.', { hint: 'Run `ken status` there.' })
  return project
}

const shown = (project: EditorProject, entry: CatalogueEntry) => ({
  label: label(entry.num),
  stem: entry.stem,
  title: entry.title,
  status: entry.status,
  trust: entry.trust,
  date: entry.date,
  uri: project.uriOf(entry),
})

/** The record's decisions for the entries of an answer, in the same order. */
async function byNumber(project: EditorProject, found: unknown) {
  await project.judge.refreshRecord()
  const named = (Array.isArray(found) ? found : []) as readonly { readonly number?: number; readonly id?: string }[]
  return named.flatMap(({ number, id = '' }) => {
    const num = number ?? decisionNumber(id)
    const entry = project.judge.record().decisions.find((each) => each.num === num)
    return entry === undefined ? [] : [shown(project, entry)]
  })
}
