import { ARCHIVES, CONFIGURATION, DATA_FILES } from './clones/configuration.ts'
import { GIT_SETTINGS } from './clones/git-settings.ts'
import { LINKED } from './clones/links.ts'
import { NAMES } from './clones/names.ts'
import { PATTERNS } from './clones/patterns.ts'
import { REPOSITORIES } from './clones/repositories.ts'
import { SPECIAL_FILES } from './clones/special-files.ts'
import type { HostileClone } from './stage.ts'

/** Every hostile clone and archive, by kind; all are built in code, when they are read. */
export const HOSTILE_CLONES: readonly HostileClone[] = [
  ...GIT_SETTINGS,
  ...REPOSITORIES,
  ...LINKED,
  ...SPECIAL_FILES,
  ...PATTERNS,
  ...CONFIGURATION,
  ...DATA_FILES,
  ...ARCHIVES,
  ...NAMES,
]
