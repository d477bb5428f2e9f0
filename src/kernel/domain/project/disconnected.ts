import { AppError } from '../errors.ts'

/**
 * Why there is no record. `unstarted`: the project was registered here and nothing was recorded yet. `gone`: the user
 * bound the project here, and the folder of the record is not there. `emptied`: the folder is, and what it held is not.
 * `unknown-here`: only the config file of the folder says that there is such a project.
 */
export type Absence = 'unstarted' | 'gone' | 'emptied' | 'unknown-here'

/** What is known of a project whose record is not there. */
export interface AbsentRecord {
  readonly id: string
  readonly name: string
  readonly mode: 'local' | 'repo' | 'cloud'
  readonly location: string
  readonly absence: Absence
}

/** A record that should be there and is not is never shown as an empty one; one that is about to be started may be. */
export function refuseLost(project: Omit<AbsentRecord, 'absence'> & { readonly absence?: Absence }): void {
  const { absence } = project
  if (absence !== undefined && absence !== 'unstarted') throw absentError({ ...project, absence })
}

/** For whoever wants to read or write a record that is not there. */
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
 * One sentence. The name and the place are told only where the user bound the project here: a config file comes with a
 * clone, and its words must not reach an agent as Ken's.
 */
export function whatIsMissing({ id, name, mode, location, absence }: AbsentRecord): string {
  if (absence === 'unknown-here')
    return `This folder belongs to the project ${id}, whose record is not on this machine.`
  if (absence === 'emptied') return `The record of "${name}" in ${location} was emptied: no decision is there any more.`
  const place = mode === 'repo' ? ' (not checked out, or deleted)' : ''
  return `The record of "${name}" should be in ${location}, and is not there${place}.`
}

/** For the context of an agent at the start of a session. */
export const absentNotice = (project: AbsentRecord): string =>
  `${whatIsMissing(project)} Decisions may exist that cannot be read here: do not assume that nothing was decided, and record nothing. Tell the person: ${WAY_OUT}.`

/** A folder whose config file names a project of this machine that nobody bound it to. */
export const unboundNotice =
  'This folder names a project whose record is on this machine, but the person did not bind the folder to it, so nothing of it was read. Do not assume that nothing was decided. Tell the person: `ken attach` in this folder binds it.'

/** A record, registry or config file that is there and cannot be read. Its own words stay out: they may be a clone's. */
export const unreadableNotice =
  'The record of this project cannot be read just now. Do not assume that nothing was decided. Tell the person: `ken status` in this folder says what is wrong.'

/** A folder without a project, or whose record was never started: what an agent may be told to call has no answer. */
export const noRecordNotice =
  'No record of decisions is kept for this folder, so get_context, check_decision and propose_decision have nothing to work on here: do not call them. `ken init` starts one, if the person wants it.'

/** There was no time to read the record or to look through it. */
export const lateNotice = (event: 'session-start' | 'prompt'): string =>
  event === 'session-start'
    ? 'The record could not be read in time: get_context says where the project stands.'
    : 'The record could not be searched in time for what this request touches: check_decision does it.'

const WAY_OUT = '`ken reconnect` finds the record, brings it back, or starts a new one'
