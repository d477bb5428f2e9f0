/** The project that an address of the app names: an id or name, or `folder:` and a path; `here` is where Ken was started. */
export const HERE = 'here'

const FOLDER = 'folder:'

/** Where an operation of a project is called. */
export function addressOf(project: string, name: string): string {
  if (project === HERE) return `/v1/${name}`
  const place = project.startsWith(FOLDER) ? { directory: project.slice(FOLDER.length) } : { project }
  return `/v1/${name}?${new URLSearchParams(place)}`
}
