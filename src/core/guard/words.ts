import { foldLetters } from '../search/fold.ts'

// In order: "APIs", "HTTP" of "HTTPServer", "Server", other scripts, digits.
const PIECE = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\x00-\x7f\s\p{P}\p{S}]+|[0-9]+/gu

/** The pieces of a text as they are spelled: `createRedisClient` → create, Redis, Client; `socket.io` → socket, io. */
export const pieces = (text: string): string[] => foldLetters(text).match(PIECE) ?? []

/**
 * Words that say nothing about which thing is meant. A rejected alternative named with these alone ("Do nothing", "A custom
 * client", "JSON files") is met in every diff, and no package is known by one of them.
 */
export const GENERIC: ReadonlySet<string> = new Set(
  `a an the and or of for in on with without to as at by via per from into over use using used adopt add keep keeping stay move switch make
  build write writing have having let go do doing nothing none no not yes one two three single multiple many several all every each own our
  more less new old other another same only just plain simple simpler custom manual manually default defaults direct directly current existing
  status quo later now never always option alternative approach solution way system tool tools tooling platform framework library libraries
  package packages module modules service services server servers client clients app application web site page pages api apis endpoint
  endpoints interface sdk cli ui ux frontend backend http https url uri id ids key keys name names value values type types class classes
  function functions method methods object objects string strings number numbers int bool boolean array arrays list lists map set file files
  folder folders directory path paths config configuration setting settings option options data database databases db table tables row rows
  column columns field fields record records schema model models query queries sql json xml yaml toml csv html css text code source script
  scripts test tests testing run running runtime build core common base main index lib libs util utils helper helpers plugin plugins driver
  adapter wrapper manager handler handlers provider store storage cache queue event events message messages log logs logger error errors
  user users team teams project projects repo repository js ts jsx tsx py go rs io os net org com dev env node java python go rust ruby php
  dotnet c cpp v1 v2 v3 x github gitlab bitbucket golang npm pip`.split(/\s+/),
)
