/**
 * Readers for build files that are programs, which find the required packages in their calls: CMake, Conan, sbt, Mill,
 * Bazel.
 */
export const BUILD_FILES: readonly (readonly [file: RegExp, read: (text: string) => string[]])[] = [
  [/(?:^|\/)CMakeLists\.txt$|\.cmake$/, cmake],
  [/(?:^|\/)conanfile\.txt$/, conanText],
  [/(?:^|\/)conanfile\.py$/, conanProgram],
  [/\.sbt$|(?:^|\/)project\/[^/]+\.scala$/, sbt],
  [/(?:^|\/)build\.(?:sc|mill)$/, mill],
  [/(?:^|\/)MODULE\.bazel$/, bazel],
]

const without = (text: string, comments: RegExp): string => text.replaceAll(comments, '$1')
const HASH = /(^|\s)#[^\n]*/g
const SLASHES = /(^|\s)\/\/(?!>)[^\n]*/g

const NAME = String.raw`["']?([A-Za-z][\w.+-]*)`

/** `find_package(Boost …)`, `FetchContent_Declare(json GIT_REPOSITORY …)`, `CPMAddPackage("gh:fmtlib/fmt#10")`. */
function cmake(text: string): string[] {
  const bare = without(text, HASH_OF_CMAKE)
  const called = [
    ...bare.matchAll(
      new RegExp(String.raw`\b(?:find_package|find_dependency|ExternalProject_Add)\s*\(\s*${NAME}`, 'gi'),
    ),
    ...bare.matchAll(/\bCPM(?:Add|Find|Declare)Package\s*\(\s*NAME\s+["']?([\w.+-]+)/gi),
    ...bare.matchAll(/\bCPM(?:Add|Find)Package\s*\(\s*["']?(?:gh|gl|bb|github):([\w.-]+\/[\w.-]+)/gi),
  ].map(([, name]) => name!)
  const fetched = [...bare.matchAll(/\bFetchContent_Declare\s*\(\s*["']?([\w.+-]+)([^()]{0,600})/gi)].flatMap(
    ([, name, rest]) => [name!, ...repositoriesIn(rest!)],
  )
  const modules = [...bare.matchAll(/\bpkg_(?:check|search)_modules?\s*\(\s*\w+([^()]{0,400})/gi)].flatMap(([, rest]) =>
    rest!.split(/\s+/).flatMap((each) => /^["']?([a-z][\w.+-]*?)(?:[<>=].*)?["']?$/.exec(each)?.[1] ?? []),
  )
  return [...called, ...fetched, ...modules]
}

// `#` in "gh:fmtlib/fmt#10" is not a comment.
const HASH_OF_CMAKE = /(^|\s)#(?!\[)[^\n]*/g

/** `owner/name` of each fetched repository. */
const repositoriesIn = (text: string): string[] =>
  [...text.matchAll(/(?:GIT_REPOSITORY|URL)\s+["']?(?:https?:\/\/|git@)[\w.-]+[/:]([\w.-]+\/[\w.-]+)/gi)].map(
    ([, name]) => name!.replace(/\.git$/, ''),
  )

/** `fmt/10.2.1` in a section of requirements. */
function conanText(text: string): string[] {
  let isAsking = false
  return without(text, HASH)
    .split('\n')
    .flatMap((line) => {
      const section = /^\s*\[([\w-]+)\]/.exec(line)?.[1]
      if (section !== undefined) isAsking = section.endsWith('requires')
      return isAsking ? (/^\s*([A-Za-z0-9][\w+.-]*)\/\S/.exec(line)?.[1] ?? []) : []
    })
}

function conanProgram(text: string): string[] {
  return [...without(text, HASH).matchAll(/["']([a-z0-9][\w+.-]{1,100})\/(?:\d|\[|cci\.|system\b)[^"'\n]*["']/g)].map(
    ([, name]) => name!,
  )
}

/** `"io.circe" %% "circe-core" % "0.14.9"` */
function sbt(text: string): string[] {
  return [...without(text, SLASHES).matchAll(/"([\w.-]{1,200})"\s*%{1,3}\s*"([\w.-]{1,200})"/g)].map(
    ([, group, artifact]) => `${group}:${artifact}`,
  )
}

/** `ivy"com.lihaoyi::upickle:3.1.0"`, `mvn"…"` */
function mill(text: string): string[] {
  return [...without(text, SLASHES).matchAll(/\b(?:ivy|mvn)"([\w.-]{1,200}):{1,3}([\w.-]{1,200})/g)].map(
    ([, group, artifact]) => `${group}:${artifact}`,
  )
}

/** `bazel_dep(name = "protobuf", version = "27.0")` */
function bazel(text: string): string[] {
  return [...without(text, HASH).matchAll(/\bbazel_dep\s*\(\s*name\s*=\s*"([\w.-]+)"/g)].map(([, name]) => name!)
}
