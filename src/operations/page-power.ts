import { isTrusted, type Granted } from '../context/domain/context-project/trust.ts'
import type { TrustedProject } from '../context/ports/trust-record.ts'
import { AppError } from '../kernel/domain/errors.ts'
import { redactDeep } from '../kernel/domain/secrets/redact-deep.ts'
import { visible, visibleDeep } from '../kernel/domain/trust/visible.ts'
import type { PageChange, WaitingChange } from '../kernel/ports/page-changes.ts'
import type { Context } from './context.ts'
import type { Operation } from './operation.ts'

// Nobody reads more than that before confirming.
const LONGEST = 100_000

/**
 * Changes a person confirms at a terminal before a page may run this; empty if the call is free. Undeclared operations
 * need confirmation, unless they only read.
 */
export async function changesToConfirm(
  ctx: Context,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Promise<readonly PageChange[]> {
  const { fromPage = operation.effect === 'read' ? 'free' : 'confirm' } = operation
  if (fromPage === 'free') return []
  const changes = fromPage === 'confirm' ? changesOfInput(operation, input) : await fromPage(ctx, input)
  const shown = visibleDeep(redactDeep(changes.map(onOneLine)).value)
  if (JSON.stringify(shown).length > LONGEST)
    throw new AppError('invalid_input', 'The change is too long to be confirmed from a page.', {
      hint: 'Create it at a terminal.',
    })
  return shown
}

/** The whole input, for operations without a better preview. */
export function changesOfInput(
  { title }: Pick<Operation, 'title'>,
  input: Readonly<Record<string, unknown>>,
): readonly PageChange[] {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? [{ what: title }]
    : given.map(([what, value]) => ({ what, after: typeof value === 'string' ? value : JSON.stringify(value) }))
}

/** A value with line breaks could pass for the lines around it. */
const onOneLine = ({ what, before, after, diff }: PageChange): PageChange => ({
  what: escaped(what),
  ...(before !== undefined && { before: escaped(before) }),
  ...(after !== undefined && { after: escaped(after) }),
  ...(diff !== undefined && { diff }),
})

const escaped = (text: string): string => (/[\r\n\t]/.test(text) ? JSON.stringify(text) : text)

/**
 * Whether a folder, with links resolved, is in a repository of a known project or in a folder where the user started
 * Ken.
 */
export async function isGranted(ctx: Context, folder: string): Promise<boolean> {
  const [real, roots] = await Promise.all([ctx.files.folder(folder), ctx.grantedRoots()])
  return real !== undefined && roots.some((root) => isWithin(real, root))
}

export const isWithin = (path: string, root: string): boolean =>
  path === root || path.startsWith(/[/\\]$/.test(root) ? root : `${root}${root.includes('\\') ? '\\' : '/'}`)

/**
 * Context of a call from a page before it is confirmed: allows nothing that widens trust, names a project's repository,
 * or changes a token, a key or a guarded setting. An operation that is free by mistake, or that runs in an environment
 * changed after the check, fails here.
 */
export async function withoutPower(ctx: Context): Promise<Partial<Context>> {
  const roots = await ctx.grantedRoots()
  const assertFree = (name: string, value?: string | readonly string[]): void => {
    if (ctx.settings.get(name).fromPage === 'free') return
    // Indexing a repository adds it here; repositories of known projects belong to the user.
    const known = name === 'codebase.roots' ? (ctx.settings.get(name).value as readonly string[]) : []
    const added = Array.isArray(value) ? value.filter((one: string) => !known.includes(one)) : undefined
    if (name !== 'codebase.roots' || !added?.every((one) => roots.some((root) => isWithin(one, root)))) refuse()
  }
  const assertNoMore = ({ root, granted }: TrustedProject): void => {
    const known: Granted | undefined = ctx.trust.find(root)?.granted
    if (!Object.entries(granted).every(([key, lines]) => isTrusted({ key, lines }, known))) refuse()
  }
  return {
    settings: {
      ...ctx.settings,
      set(name, value) {
        assertFree(name, value)
        ctx.settings.set(name, value)
      },
      unset(name) {
        assertFree(name)
        ctx.settings.unset(name)
      },
    },
    trust: {
      ...ctx.trust,
      grant(project) {
        assertNoMore(project)
        ctx.trust.grant(project)
      },
      extend(project) {
        assertNoMore(project)
        ctx.trust.extend(project)
      },
    },
    projects: { ...ctx.projects, bind: refuse },
    modelKeys: { ...ctx.modelKeys, set: refuse, remove: refuse },
    ownHome: async () => ({ ...(await ctx.ownHome()), renewToken: refuse }),
  }
}

function refuse(): never {
  throw new AppError('forbidden', 'A page cannot change this without a code from a terminal.', {
    hint: 'Run the command at a terminal.',
  })
}

/** Terminal output for a pending call. */
export function waitingLines({ title, operation, folder, changes, code, expiresAt }: WaitingChange): string[] {
  return [
    `A page asks for: ${title} (${operation}) in ${visible(folder)}`,
    ...changes.flatMap(changeLines).map((line) => `  ${line}`),
    `Code: ${code} (until ${expiresAt.toTimeString().slice(0, 8)}). Type it into the page only if you want this change.`,
  ]
}

function changeLines({ what, before, after, diff }: PageChange): string[] {
  if (diff !== undefined) return [what, ...diff.split('\n').map((line) => `  ${line}`)]
  return [what, ...(before === undefined ? [] : [`  - ${before}`]), ...(after === undefined ? [] : [`  + ${after}`])]
}
