import { lstatSync } from 'node:fs'
import { readIgnoreRules, type IgnoreRules } from '../domain/ignore-rules.ts'
import { readPlainFile } from './plain-file.ts'

const LARGEST = 1024 * 1024
const NO_RULES = readIgnoreRules('')!

/**
 * The rules of a .gitignore or .kenignore, empty if there is no such file. Undefined for a link or a file too large to
 * read: its exclusions are then unknown.
 */
export function readIgnoreFile(path: string): IgnoreRules | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return NO_RULES
  const bytes = readPlainFile(path, LARGEST)
  return bytes && readIgnoreRules(bytes.toString('utf8'))
}
