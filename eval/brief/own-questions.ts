/**
 * Questions about this repository's own record, in everyday words, each with the facts that answer it as recorded.
 * Written before any tuning on them; the half that `halfOf` holds out was never looked at.
 */
export const OWN_QUESTIONS: readonly (readonly [question: string, ...facts: string[]])[] = [
  ['could we keep everything in a proper database instead of text files', 'nobody can read or merge it by hand'],
  [
    'what happens to my data if the power goes out in the middle of saving',
    'A killed process must lose nothing that was acknowledged',
    'a power cut can empty files',
  ],
  [
    'can two agents write at the same time, and what if one of them crashes',
    'The operating system frees it when a process dies',
    'a recycled pid keeps a dead lock alive',
  ],
  ['is it okay to add better-sqlite3', 'version 12 needs an install script'],
  [
    'why does the package ship its own small word vectors',
    'A 13.5 MB table of word vectors loads in milliseconds',
    '288 MB of runtime and a model to download',
  ],
  ['may I write my own flag parsing', 'quoting, variadics and errors are solved there'],
  [
    'how do we make sure nobody sneaks a DELETE past us',
    'regular expressions let writes through',
    'comments, strings and CTEs hide writes',
  ],
  [
    'how do we read source code in many languages without a compiler',
    'Thirteen languages without a native build',
    "a compiler on the user's machine",
  ],
  ['why not just use full text search of the database for the index', 'an OR over common words is slow'],
  ['searching files with a nasty pattern hangs the server, what did we do', 'a catastrophic pattern blocks the server'],
  ['which library talks to OpenAI and Anthropic', '@ai-sdk/anthropic'],
  [
    'someone changed the database host in the project I cloned',
    'A pull that changes a host or a path asks again for that entry alone',
  ],
  ['where does the crash log of a half finished change live', 'a clone can bring one, and git tracks it'],
  ['can a repository I cloned read my private notes', 'a clone reads and writes a private record'],
  [
    'how would we notice that somebody edited the history',
    'a changed, cut, deleted or replaced journal is noticed',
    'there is no key to keep',
  ],
  [
    'what if the tool that fixes a broken file makes it worse',
    'blesses damage',
    'Bytes come back from a snapshot or from git when their hash is the journalled one',
  ],
  [
    'how do we keep passwords out of what we store',
    'Recall on a set of 275 is 99 to 100 percent',
    'low recall here, and asynchronous',
  ],
  [
    'a web page tells the agent to ignore its instructions',
    'so nothing inside can end it',
    'look-alikes still read as tags',
  ],
  [
    'does an agent get the last word on what was decided',
    'nobody would record anything',
    'The state is derived from the journal',
  ],
  ['a query eats all the memory of the machine', '20 million list elements took 3.4 GB'],
  [
    'can a user still see a column that we hide by wrapping it in a function',
    'let 37 statements read hidden columns',
    'user functions and macros are endless',
  ],
  ['a bit flipped on disk and search gave rubbish', 'A checksum in every row', 'does not look at content'],
  [
    'one server for several repositories, how does it know which one',
    'the folder it was started in leaked one project to all of them',
  ],
  [
    'should I pull in picomatch for ignore files',
    'still polynomial, and honest patterns are refused',
    'no difference in 11,700 cases',
  ],
  ['should every part be a package of its own', 'one publisher, one release; packages would only add build steps'],
  [
    'starting the command takes too long',
    'Resolving and linking hundreds of modules was most of a cold start',
    'made published code unreadable',
  ],
  ['would Express be a better web server here', 'larger, and routing is a loop over the registry anyway'],
  ['the install is huge because of database drivers', 'DuckDB alone 70 MB', '158 MB for someone who keeps decisions'],
  ['can we let the SQL parser update by itself', 'a patch of a parser would reach users before the attacks'],
  [
    'which formatter and linter do we run',
    'a second linter beside oxlint for its formatter',
    'another family of tools, written in JavaScript',
  ],
  ['comments in my yaml file disappeared', 'loses comments', 'yaml keeps comments on a round trip'],
  ['templates written by strangers, are they safe', 'templates of a stranger could run code'],
  ['why do we say so rarely that something is related', 'a fixed line drifted from 8 to 40 % false alarms'],
  ['how does it know that k8s is Kubernetes', 'a table of about 430 things says which names are the same'],
  [
    'why is the answer of a tool sent as text and not as data',
    'five usual answers cost 10.9 to 18.8 KB instead of 7.9',
  ],
  ['how many tools does a coding agent get', 'Nine tools in 6.1 KB instead of nineteen in 10.2 KB'],
  ['an old decision keeps showing up in searches', '22 of 44 answers would hold something stale'],
  [
    'I started my agent in a subfolder and now its sessions are gone',
    'sessions of a subfolder are invisible from the root',
  ],
  [
    'how does it find the tables for a question among hundreds',
    'it knows no joins, and one long table swallows every question',
  ],
  ['how do we find out that new rows came in without counting them', '500 new rows went unseen'],
  [
    'are names and mail addresses of customers committed',
    'whoever needs it notices after the first push',
    'Compiled files are committed and read by agents',
  ],
  ['why did we write the loop around the model ourselves', 'tools would run inside it, between our gates and our log'],
  ['the browser lost connection in the middle of an answer', 'The id 12.340 means 340 characters of part 12'],
  [
    'draw a chart without a browser',
    'nothing to draw with on most machines',
    'forty packages and three times the size for the same charts',
  ],
  ['make a PDF of a report every Monday', 'a browser for a page', 'croner reads five-field cron with time zones'],
  ['where should the API key go', 'its key would lie beside it', 'An agent can read files'],
  ['it remembered something about my colleague as if it were me', "it stored other people's facts as the user's"],
  ['does anything leave my machine', 'Nothing is sent anywhere'],
]
