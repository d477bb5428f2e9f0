import { fileKind, isLockFile } from '../guard/file-kind.ts'
import { toolsOfFile } from '../guard/telling-files.ts'

const PINS =
  /(?:^|\/)(?:\.nvmrc|\.(?:node|python|ruby|java|php|swift|terraform)-version|\.sdkmanrc|\.fvmrc|\.tool-versions|\.?mise\.toml|rust-toolchain(?:\.toml)?|global\.json|pnpm-workspace\.yaml|gradle-wrapper\.properties|[^/]+\.versions\.toml|[^/]+\.gradle(?:\.kts)?|Directory\.[^/]+\.props|project\/build\.properties|meson\.build|\.bazelrc|[^/]+\.vcxproj|build\.(?:sc|mill))$|(?:^|\/)(?:buildSrc|build-logic)\/.*\.kts?$/
// As numerous as the code itself; the tree shows whether they are present.
const LANGUAGE = /\.(?:go|rs|py|rb|php|java|kt|scala|swift|dart|exs?|s[ac]ss|less|coffee)$/

/**
 * Whether a file's history shows when each thing was used: manifests, files that imply a tool by existing, and files
 * that pin versions.
 */
export function datesThings(path: string): boolean {
  if (PINS.test(path) || isLockFile(path)) return true
  if (fileKind(path) === 'manifest') return true
  return !LANGUAGE.test(path) && fileKind(path) !== 'ignored' && toolsOfFile(path).length > 0
}
