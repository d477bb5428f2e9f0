import { z } from 'zod'
import { findHidden } from '../../kernel/domain/trust/visible.ts'

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

/** A project's name is one line that people read and type. */
export const projectName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !/[\n\r\t]/.test(name) && findHidden(name) === undefined, 'use one line of plain text')
