import { AppError } from '../errors.ts'

/**
 * Why there is no record. `unstarted`: the project was registered here and nothing was recorded yet. `gone`: the user
 * bound the project here, and the record's folder is missing. `emptied`: the folder exists, but its content is missing.
 * `unknown-here`: only the folder's config file names the project.
 */
export type Absence = 'unstarted' | 'gone' | 'emptied' | 'unknown-here'

/** Facts about a project with a missing record. */
export interface AbsentRecord {
  readonly id: string
  readonly name: string
  readonly mode: 'local' | 'repo' | 'cloud'
  readonly location: string
  readonly absence: Absence
}

/** Throws for a missing record, which is never shown as an empty one, unless it is about to be started. */
export function refuseLost(project: Omit<AbsentRecord, 'absence'> & { readonly absence?: Absence }): void {
  const { absence } = project
  if (absence !== undefined && absence !== 'unstarted') throw absentError({ ...project, absence })
}

/** Error for reading or writing a missing record. */
export function absentError(project: AbsentRecord): AppError {
  if (project.absence === 'unstarted')
    return new AppError('not_found', `The record of "${project.name}" was never started.`, {
      hint: 'Run `ken init` in its repository.',
    })
  return new AppError('disconnected', whatIsMissing(project), {
    hint: `Do not take it for a project without decisions: ${WAY_OUT}.`,
    details: { project_id: project.id, absence: project.absence },
  })
}

/**
 * One sentence about the missing record. Includes the name and the location only if the user bound the project here: a
 * config file comes with a clone, and an agent must not mistake its words for Ken's.
 */
export function whatIsMissing({ id, name, mode, location, absence }: AbsentRecord): string {
  if (absence === 'unknown-here')
    return `This folder belongs to the project ${id}, whose record is not on this machine.`
  if (absence === 'emptied') return `The record of "${name}" in ${location} was emptied: no decision is there any more.`
  const place = mode === 'repo' ? ' (not checked out, or deleted)' : ''
  return `The record of "${name}" should be in ${location}, and is not there${place}.`
}

/** Notice for an agent's context at the start of a session. */
export const absentNotice = (project: AbsentRecord): string =>
  `${whatIsMissing(project)} Decisions may exist that cannot be read here: do not assume that nothing was decided, and record nothing. Tell the person: ${WAY_OUT}.`

/** Notice if the folder's config file names a project on this machine, but the folder is not bound to it. */
export const unboundNotice =
  'This folder names a project whose record is on this machine, but the person did not bind the folder to it, so nothing of it was read. Do not assume that nothing was decided. Tell the person: `ken attach` in this folder binds it.'

/**
 * Notice if the record, registry or config file exists but cannot be read. Its text is left out: it may come from a
 * clone.
 */
export const unreadableNotice =
  'The record of this project cannot be read just now. Do not assume that nothing was decided. Tell the person: `ken status` in this folder says what is wrong.'

/**
 * Notice for a folder without a project, or with a record never started: tools that an agent may be instructed to call
 * would fail.
 */
export const noRecordNotice =
  'No record of decisions is kept for this folder, so get_context, check_decision and propose_decision have nothing to work on here: do not call them. `ken init` starts one, if the person wants it.'

/** Notice if reading or searching the record timed out. */
export const lateNotice = (event: 'session-start' | 'prompt'): string =>
  event === 'session-start'
    ? 'The record could not be read in time: get_context says where the project stands.'
    : 'The record could not be searched in time for what this request touches: check_decision does it.'

const WAY_OUT = '`ken reconnect` finds the record, brings it back, or starts a new one'
