import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { withinOf } from '../../memory/operations/memory-scope.ts'
import type { ArchivedSession } from '../../memory/ports/session-archive.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { readMemoryDraft } from '../domain/user-memory/memory-draft.ts'
import { MEMORY_CATEGORIES } from '../domain/user-memory/memory-row.ts'
import { learnFromSessions } from '../learn-from-sessions.ts'
import { projectKey } from './project-key.ts'

export const memoriesLearn = defineOperation({
  name: 'memories_learn',
  title: 'Learn from sessions',
  summary: 'Find preferences and facts in your sessions; drafts go to the inbox.',
  details:
    'Reads only your own turns of harvested sessions, newest first. Drafts wait in `ken inbox` until you apply them; dismissed ones are not drafted again. With a configured model, it reads a few messages per call; without one, only plain statements are found.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'machine', 'memory', 'record'],
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    from: z.enum(['sessions']).default('sessions'),
    limit: z.number().int().min(1).max(1_000).default(20).describe('Sessions to look through.'),
    everywhere: z.boolean().default(false).describe('Sessions of all projects.'),
    without_model: z.boolean().default(false).describe('Do not ask the model.'),
  },
  output: {
    sessions: z.number(),
    drafts: z.array(
      z.object({ id: z.string(), category: z.enum(MEMORY_CATEGORIES), content: z.string(), words: z.string() }),
    ),
    refused: z.array(z.object({ content: z.string(), why: z.string() })),
    notes: z.array(z.string()),
  },
  examples: [{ title: 'From the last sessions here', input: { from: 'sessions', without_model: true } }],
  async run(ctx, input) {
    const state = await ctx.analystState()
    const { archive } = await ctx.upkeep()
    const within = input.everywhere ? undefined : await withinOf(ctx, undefined)
    const isHere = ({ path }: ArchivedSession): boolean => within?.workspaces.includes(path.split('/')[0]!) ?? true
    const sessions = (await archive.list())
      .filter((session) => session.kind !== 'subagent' && isHere(session))
      .toSorted((a, b) => (a.ended < b.ended ? 1 : -1))
      .slice(0, input.limit)
    const learned = await learnFromSessions(
      {
        state,
        clock: ctx.clock,
        model: input.without_model ? undefined : await ctx.models.language(),
        embedder: await ctx.bundledEmbedder().catch(() => undefined),
        signal: ctx.signal ?? new AbortController().signal,
      },
      {
        archive,
        sessions,
        user: ctx.user,
        project: await projectKey(ctx),
        folder: ctx.cwd,
        progress: (done) => ctx.progress('Looking through sessions', done, sessions.length),
      },
    )
    return {
      sessions: learned.read,
      drafts: learned.drafts.flatMap(({ id, body }) => {
        const draft = readMemoryDraft(body)
        return draft === undefined
          ? []
          : [{ id, category: draft.category, content: draft.content, words: draft.evidence.words }]
      }),
      refused: [...learned.refused],
      notes: learned.failure === undefined ? [] : [`The model could not be used throughout: ${learned.failure}`],
    }
  },
  render({ sessions, drafts, notes }) {
    const read = `Looked through ${plural(sessions, 'session')}.`
    const found =
      drafts.length === 0
        ? 'Nothing new to remember.'
        : `${plural(drafts.length, 'memory waits', 'memories wait')} in the inbox; \`ken inbox\` shows them.`
    return [
      `${read} ${found}`,
      ...drafts.map(({ content, words }) => `- ${content}\n  you said: "${words}"`),
      ...notes,
    ].join('\n')
  },
})
