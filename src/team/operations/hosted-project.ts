import { z } from 'zod'

interface NamedProject {
  readonly id: string
  readonly name: string
}

/** Output field with the project of a call. */
export const hostedProject = { project: z.object({ id: z.string(), name: z.string() }) }

export const projectOf = ({
  project: { id, name },
}: {
  readonly project: NamedProject
}): { project: NamedProject } => ({
  project: { id, name },
})
