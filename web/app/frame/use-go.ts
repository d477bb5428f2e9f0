import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../api/queries.ts'

/** Navigation to the pages and items that the frame links to. */
export function useGo() {
  const project = useProject()
  const navigate = useNavigate()
  const here = { project }
  return {
    decision: (number: number) =>
      void navigate({ to: '/$project/decisions/$id', params: { project, id: String(number) } }),
    newDecision: () => void navigate({ to: '/$project/decisions/new', params: here }),
    questions: () => void navigate({ to: '/$project/decisions', params: here, search: { view: 'questions' } }),
    graph: () => void navigate({ to: '/$project/decisions', params: here, search: { view: 'graph' } }),
    table: (database: string, table: string) =>
      void navigate({ to: '/$project/context/table/$', params: { project, _splat: `${database}/${table}` } }),
    sources: () => void navigate({ to: '/$project/context/sources', params: here }),
    config: () => void navigate({ to: '/$project/context/config', params: here }),
    rules: () => void navigate({ to: '/$project/context/rules', params: here }),
    document: (id: string) => void navigate({ to: '/$project/memory/doc/$id', params: { project, id } }),
    memory: (q: string) => void navigate({ to: '/$project/memory', params: here, search: { q } }),
    notes: () => void navigate({ to: '/$project/memory/notes', params: here }),
    chat: (chat: string) => void navigate({ to: '/$project/ask/$chat', params: { project, chat } }),
    ask: (question?: string) =>
      void navigate({ to: '/$project/ask', params: here, search: question === undefined ? {} : { question } }),
  }
}
