import { z } from 'zod'
import { AppError, type ErrorCode } from '../kernel/domain/errors.ts'
import { fieldNamed, spellDeep } from '../kernel/domain/named-operation.ts'
import { isPerson } from '../kernel/domain/origin.ts'
import { whatIsMissing } from '../kernel/domain/project/disconnected.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import { visible } from '../kernel/domain/trust/visible.ts'
import { labelled, type Answer } from './answer.ts'
import type { Context, Offered } from './context.ts'
import { guardSecrets } from './guard-secrets.ts'
import type { Operation } from './operation.ts'
import { forAgents, spellingOf } from './spelling.ts'

/**
 * The only way for a surface to run an operation: input is parsed only here, no secret enters or leaves, and the answer
 * names the source of its text and spells operations as the caller's surface does.
 */
export async function call(ctx: Offered, operation: Operation, raw: unknown): Promise<Answer> {
  let outcome: 'ok' | ErrorCode = 'ok'
  try {
    const work = (): Promise<Answer> => answered(ctx, operation, raw)
    return await (ctx.within?.(operation, work) ?? work())
  } catch (thrown) {
    outcome = toAppError(thrown).code
    throw thrown
  } finally {
    await ctx.audit?.(operation, outcome)
  }
}

async function answered(ctx: Offered, operation: Operation, raw: unknown): Promise<Answer> {
  const parsed = operation.input.safeParse(raw ?? {}, { reportInput: true })
  if (!parsed.success) throw invalidInput(parsed.error)
  const permitted = { ...ctx, ...(await ctx.permit?.(operation, parsed.data)) }
  if (operation.effect === 'write' && !operation.withoutRoom) ctx.checkRoom()
  const guard = guardSecrets(withNeeds(permitted, operation), operation)
  const input = guard.input(parsed.data)
  const answer = guard.output(await operation.run(guard.ctx, input))
  const lost = operation.words === 'memory' ? await lostRecord(ctx) : []
  const toCaller = ctx.origin !== undefined && isPerson(ctx.origin) ? (text: string) => text : forAgents
  const told = toCaller(visible([...(ctx.notices?.() ?? []), ...lost].join(' ')))
  const said = {
    ...answer,
    ...Object.fromEntries(
      OWN_WORDS.filter((field) => Array.isArray(answer[field])).map((field) => [
        field,
        (answer[field] as unknown[]).map((line) => toCaller(String(line))),
      ]),
    ),
    ...(told !== '' && { notice: told }),
  }
  const output = labelled(operation, spellDeep(said, spellingOf(ctx.origin, operation)))
  return { input, output, notice: [guard.notice(), told].filter((part) => part !== '').join('\n\n') }
}

/** Refuses an operation in a place that does not meet its needs: a server has no `machine`, and a machine no `team`. */
function withNeeds(ctx: Offered, { needs }: Operation): Context {
  if (needs.includes('machine') && ctx.team !== undefined)
    throw new AppError('forbidden', 'Not available on a team server.', { hint: 'Run this on your own machine.' })
  if (needs.includes('team') && ctx.team === undefined)
    throw new AppError('unavailable', 'Only available on a team server.', { hint: 'See the guide of `ken server`.' })
  return ctx as Context
}

/** Lines that Ken wrote, not quoted from a source. */
const OWN_WORDS = ['notes', 'off', 'advice']

/** A note for a search without its record: finding no decision must not suggest that there are none. */
async function lostRecord(ctx: Offered): Promise<string[]> {
  const project = await ctx.projects.find({ directory: ctx.cwd }).catch(() => undefined)
  const absence = project?.absence ?? 'unstarted'
  return absence === 'unstarted' ? [] : [`No decisions were searched: ${whatIsMissing({ ...project!, absence })}`]
}

/** Names the first fault and the expected value; the full list is in the details. */
function invalidInput(error: z.ZodError): AppError {
  const faults = error.issues.map((issue) => ({ path: issue.path.join('.'), message: explain(issue) }))
  const [first] = faults
  return new AppError('invalid_input', `${first?.message ?? 'the input is not valid'}.`, {
    details: { issues: faults },
  })
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'one text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** A zod issue as an actionable half sentence. */
function explain(issue: z.core.$ZodIssue): string {
  const [top, ...inside] = issue.path
  // At a terminal a list is repeated flags, so an element has no index; the value itself is shown.
  const path = inside.length === 1 && typeof inside[0] === 'number' && issue.code === 'invalid_value' ? [] : inside
  const field = top === undefined ? 'the input' : [fieldNamed(String(top)), ...path].join('.')
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${field} is missing`
        : `${field} must be ${KINDS[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      if (issue.input === undefined) return `${field} is missing; it is one of ${issue.values.join(', ')}`
      return `${field} must be one of ${issue.values.join(', ')}`
    case 'too_small':
      return issue.origin === 'string'
        ? issue.minimum === 1
          ? `${field} is empty`
          : `${field} is shorter than ${issue.minimum} characters`
        : `${field} must be at least ${issue.minimum}`
    case 'too_big':
      return issue.origin === 'string'
        ? `${field} is longer than ${issue.maximum} characters`
        : `${field} must be at most ${issue.maximum}${issue.origin === 'array' ? ' items' : ''}`
    case 'unrecognized_keys':
      return `it takes no ${issue.keys.map((key) => `"${key}"`).join(', ')}`
    default:
      return `${field}: ${issue.message}`
  }
}
