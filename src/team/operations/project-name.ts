import { z } from 'zod'
import { findHidden } from '../../kernel/domain/trust/visible.ts'

/** A project's name is one line that people read and type. */
export const projectName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !/[\n\r\t]/.test(name) && findHidden(name) === undefined, 'use one line of plain text')
