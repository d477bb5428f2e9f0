import { languageOfFile } from './code-language.ts'

/** Files beside source code that say something about it. */
const TEXT =
  /\.(?:md|mdx|json|ya?ml|toml|sql|graphql|proto|html|css|scss|vue|svelte|kt|kts|swift|scala|ex|exs|lua|r|tf)$/i

/** What nobody wrote by hand, whatever .gitignore says. */
export const GENERATED: readonly string[] = [
  '.git/',
  'node_modules/',
  'vendor/',
  'dist/',
  'build/',
  'out/',
  'target/',
  'coverage/',
  '__pycache__/',
  '.venv/',
  'venv/',
  '.next/',
  '.nuxt/',
  '.turbo/',
  '.cache/',
  '.terraform/',
  '*.min.js',
  '*.min.css',
  '*.map',
  '*.lock',
  '*.sum',
  '*.snap',
  'package-lock.json',
  'pnpm-lock.yaml',
]

export function isCodeFile(path: string, extensions: readonly string[]): boolean {
  if (extensions.length > 0)
    return extensions.some((extension) => path.toLowerCase().endsWith(`.${extension.replace(/^\./, '').toLowerCase()}`))
  return languageOfFile(path) !== undefined || TEXT.test(path)
}
