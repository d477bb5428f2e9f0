/** Whether a repository file belongs in the index: source code, or text about it. */
export function isCodeFile(path: string, extensions: readonly string[]): boolean {
  if (extensions.length > 0)
    return extensions.some((extension) => path.toLowerCase().endsWith(`.${extension.replace(/^\./, '').toLowerCase()}`))
  return languageOfFile(path) !== undefined || TEXT.test(path)
}

const TEXT =
  /\.(?:md|mdx|json|ya?ml|toml|sql|graphql|proto|html|css|scss|vue|svelte|kt|kts|swift|scala|ex|exs|lua|r|tf)$/i

/** Generated files, whether or not .gitignore covers them. */
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

export const CODE_LANGUAGES = [
  'typescript',
  'tsx',
  'javascript',
  'python',
  'go',
  'rust',
  'java',
  'c',
  'cpp',
  'csharp',
  'ruby',
  'php',
  'shell',
] as const

export type CodeLanguage = (typeof CODE_LANGUAGES)[number]

const EXTENSIONS: Readonly<Record<CodeLanguage, string>> = {
  typescript: 'ts mts cts',
  tsx: 'tsx',
  javascript: 'js mjs cjs jsx',
  python: 'py pyi pyw',
  go: 'go',
  rust: 'rs',
  java: 'java',
  c: 'c',
  // C headers parse well as C++, C++ headers do not parse as C.
  cpp: 'cc cpp cxx h hh hpp hxx ipp inl',
  csharp: 'cs',
  ruby: 'rb rake gemspec',
  php: 'php phtml',
  shell: 'sh bash zsh ksh bats',
}

const BY_EXTENSION = new Map(
  CODE_LANGUAGES.flatMap((language) => EXTENSIONS[language].split(' ').map((extension) => [extension, language])),
)
const BY_NAME: ReadonlyMap<string, CodeLanguage> = new Map([
  ['rakefile', 'ruby'],
  ['gemfile', 'ruby'],
  ['.bashrc', 'shell'],
  ['.zshrc', 'shell'],
  ['.profile', 'shell'],
])

/** The language of a file with definitions, by its name; undefined for everything else. */
export function languageOfFile(path: string): CodeLanguage | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  const dot = name.lastIndexOf('.')
  return BY_NAME.get(name) ?? (dot === -1 ? undefined : BY_EXTENSION.get(name.slice(dot + 1)))
}
