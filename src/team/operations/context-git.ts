import { z } from 'zod'
import { hostOf, readGitPlace } from '../../context/domain/context-project/git-place.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { defineOperation, NOT_FOR_AGENTS, projectField } from '../../operations/operation.ts'
import { opaqueSecret } from '../opaque-secret.ts'
import { credentialOf, hookOf } from '../pull-context.ts'
import { sealing } from '../sealing.ts'
import { contextGitFields, originLines, shownOrigin } from './context-git-fields.ts'
import { namedProject } from './named-in-team.ts'

const SHORTEST_PAUSE = 5
const LONGEST_PAUSE = 7 * 24 * 60

const noOrigin = (): AppError =>
  new AppError('not_found', 'The context of this project does not come from a repository.', {
    hint: 'Set its folder first.',
  })

export const contextGit = defineOperation({
  name: 'context_git',
  title: 'Show the origin of the context',
  summary: 'Show a project’s context repository: active commit and problems since.',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { ...projectField },
  output: {
    origin: contextGitFields.optional().describe('Missing where nothing is set.'),
    webhook: z.string().describe('Webhook address for pushes.'),
    keeps_secrets: z.boolean().describe('Whether the server has a key to keep tokens and webhooks with.'),
    reaches: z
      .array(z.object({ key: z.string(), lines: z.array(z.string()), allowed: z.boolean() }))
      .describe('What it accesses beyond its files, in the form in which the server operator allows it.'),
  },
  examples: [{ title: 'The project', input: {} }],
  async run(ctx, { project_id }) {
    const { contexts, publicUrl } = ctx.team
    const { id } = await namedProject(ctx, project_id)
    const origin = await contexts.origins.find(id)
    const reaches = origin?.taken === undefined ? [] : await contexts.reach(id)
    return {
      ...(origin && { origin: shownOrigin(origin) }),
      webhook: `${publicUrl}/hooks/git/${id}`,
      keeps_secrets: contexts.seals !== undefined,
      reaches: reaches.map(({ key, lines, allowed }) => ({ key, lines: [...lines], allowed })),
    }
  },
  render: ({ origin, reaches }) =>
    [
      origin === undefined ? 'The context does not come from a repository.' : originLines(origin),
      ...reaches.filter(({ allowed }) => !allowed).map(({ key, lines }) => `Not allowed: ${key}: ${lines.join(', ')}.`),
    ].join('\n'),
})

export const contextGitSet = defineOperation({
  name: 'context_git_set',
  title: 'Take the context from a repository',
  summary: 'Set the git repository and branch of a project’s context, and pull it.',
  details:
    'The active commit stays until the new one is valid. A token is stored encrypted and sent only to the host of the address; changing the host removes it.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  // A repository's token must reach git unchanged.
  asGiven: true,
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {
    address: z.string().min(1).max(1_000).describe('Clone address (https).'),
    branch: z.string().min(1).max(200).default('main'),
    folder: z.string().max(500).default('').describe('Folder of ken.yaml in the repository; default: its root.'),
    every: z
      .number()
      .int()
      .min(0)
      .max(LONGEST_PAUSE)
      .default(60)
      .describe(`Minutes between pulls, at least ${SHORTEST_PAUSE}; 0: only by webhook or on request.`),
    token: z
      .string()
      .max(2_000)
      .optional()
      .describe('Token for a private repository, alone or as name:token; empty removes the stored one.'),
    ...projectField,
  },
  output: { origin: contextGitFields },
  examples: [{ title: 'A branch', input: { address: 'https://git.example.com/acme/context.git', branch: 'main' } }],
  async run(ctx, { token, every, project_id, ...given }) {
    const { contexts, caller } = ctx.team
    const { id: project } = await namedProject(ctx, project_id)
    const place = readGitPlace(given)
    contexts.trees.assertAllowed(place.address)
    if (every > 0 && every < SHORTEST_PAUSE)
      throw new AppError('invalid_input', `The pull interval must be at least ${SHORTEST_PAUSE} minutes.`)
    if (/[\p{C}\s]/u.test(token ?? '')) throw new AppError('invalid_input', 'A token can’t contain spaces.')
    const before = await contexts.origins.find(project)
    const isSameHost = before !== undefined && hostOf(before.address) === hostOf(place.address)
    const credential =
      token === undefined
        ? isSameHost
          ? before.credential
          : undefined
        : token === ''
          ? undefined
          : sealing(contexts.seals).seal(token, credentialOf(project, place.address))
    await contexts.origins.set(project, {
      ...place,
      id: ctx.clock.ulid(),
      every: every === 0 ? undefined : every,
      credential,
      setBy: caller.person,
      setAt: ctx.clock.now().toISOString(),
    })
    await contexts.pullSoon(project)
    return { origin: shownOrigin((await contexts.origins.find(project))!) }
  },
  render: ({ origin }) => originLines(origin),
})

export const contextGitPull = defineOperation({
  name: 'context_git_pull',
  title: 'Pull the context now',
  summary: 'Pull a project’s context now; the result appears later.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { ...projectField },
  output: { origin: contextGitFields },
  examples: [{ title: 'Now', input: {} }],
  async run(ctx, { project_id }) {
    const { contexts } = ctx.team
    const { id } = await namedProject(ctx, project_id)
    const origin = await contexts.origins.find(id)
    if (origin === undefined) throw noOrigin()
    await contexts.pullSoon(id)
    return { origin: shownOrigin(origin) }
  },
  render: () => 'It is pulled in a moment.',
})

export const contextGitHook = defineOperation({
  name: 'context_git_hook',
  title: 'Make a webhook for the context',
  summary: 'Create the push webhook’s secret. Shown only once; replaces the old one.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  showsOnce: 'secret',
  input: { ...projectField },
  output: { webhook: z.string(), secret: z.string().describe('Shown this once.') },
  examples: [{ title: 'A new one', input: {} }],
  async run(ctx, { project_id }) {
    const { contexts, chance, publicUrl } = ctx.team
    const { id } = await namedProject(ctx, project_id)
    const secret = opaqueSecret(chance)
    if (!(await contexts.origins.setHook(id, sealing(contexts.seals).seal(secret, hookOf(id))))) throw noOrigin()
    return { webhook: `${publicUrl}/hooks/git/${id}`, secret }
  },
  render: ({ webhook }) => `Give ${webhook} to the host, for pushes, as JSON. Its secret is in the answer once.`,
})

export const contextGitRemove = defineOperation({
  name: 'context_git_remove',
  title: 'Take the context away',
  summary: 'Disconnect a project’s context repository. Deletes its files from the server.',
  effect: 'write',
  destructive: true,
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { ...projectField },
  output: { removed: z.boolean() },
  examples: [{ title: 'The project', input: {} }],
  async run(ctx, { project_id }) {
    const { contexts } = ctx.team
    const { id } = await namedProject(ctx, project_id)
    return { removed: await contexts.origins.remove(id) }
  },
  render: ({ removed }) => (removed ? 'The project has no context any more.' : 'There was none.'),
})
