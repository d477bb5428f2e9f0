import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from './settings.ts'

// Separate from the settings: a hook needs these two on every prompt, but not the settings table.
export const kenHome = (environment: Environment): string => environment['KEN_HOME'] || join(homedir(), '.ken')

export const nauroHome = (environment: Environment): string => environment['NAURO_HOME'] || join(homedir(), '.nauro')
