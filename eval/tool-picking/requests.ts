/** A developer's plain request or an agent's stated intent, with the Ken tools that may answer it. */
export interface ToolRequest {
  readonly says: string
  /** Acceptable tools; empty if none of Ken's tools is right. */
  readonly right: readonly string[]
}

/**
 * Adjacent requests are similar, so each half has some of every kind. Only even-numbered requests are used for tuning.
 */
export const REQUESTS: readonly ToolRequest[] = [
  ask('Where does this project stand right now?', 'get_context'),
  ask('I just joined, give me an overview of the project and what is still open.', 'get_context'),
  ask('What are we working on at the moment and what comes next?', 'get_context'),
  ask('New session: load the background of this project.', 'get_context'),
  ask('Can we switch the public API from REST to GraphQL?', 'check_decision'),
  ask('I want to add Redis for caching, is there anything against it?', 'check_decision'),
  ask('Before I pull in Prisma: does that conflict with something we settled?', 'check_decision'),
  ask('About to move the job queue to Kafka; make sure it does not go against an earlier choice.', 'check_decision'),
  ask('Is using MongoDB here compatible with what we agreed on?', 'check_decision'),
  ask('Has someone already ruled out server-side rendering?', 'check_decision', 'search_decisions'),
  ask('Why did we pick Postgres over MySQL?', 'search_decisions', 'memory_query'),
  ask('What did we decide about authentication?', 'search_decisions', 'memory_query'),
  ask('Find every decision that mentions logging.', 'search_decisions', 'memory_query'),
  ask('What was the reasoning behind dropping the monorepo?', 'search_decisions', 'memory_query'),
  ask('Show me decision 12 in full.', 'get_decision'),
  ask('Open D7 and tell me which alternatives were rejected.', 'get_decision'),
  ask('List the latest architecture decisions.', 'list_decisions'),
  ask('Show everything that was decided so far, superseded ones included.', 'list_decisions'),
  ask('We agreed on pnpm workspaces; write that down with the reason.', 'propose_decision'),
  ask('Record that primary keys are UUIDv7 because of index locality; bigserial was rejected.', 'propose_decision'),
  ask('Our choice of Kafka is replaced by NATS, change the record.', 'propose_decision'),
  ask('The user approved event sourcing for orders; log it as an ADR.', 'propose_decision'),
  ask('Someone has to say whether we support old browsers; put it on the list of open questions.', 'flag_question'),
  ask('I cannot settle the retention period myself, park it for the product owner.', 'flag_question'),
  ask('Question Q4 is answered by decision 18, close it.', 'flag_question'),
  ask('Ask the team lead later which region we deploy to, nobody here knows.', 'flag_question'),
  ask('The migration is done and deployed, update the project status.', 'update_state'),
  ask('I finished the login page; say where we are so that the next agent can go on.', 'update_state'),
  ask('What changed since I was last here?', 'diff_since_last_session'),
  ask('Which decisions and questions are new in the last two weeks?', 'diff_since_last_session', 'list_decisions'),
  ask('Print stack.md of the project record as it is.', 'get_raw_file'),
  ask('Read the project description file from the record.', 'get_raw_file', 'get_context'),
  ask('What did we talk about yesterday?', 'memory_query', 'memory_search'),
  ask('Have we seen this error before: ECONNRESET in the upload worker?', 'memory_query', 'memory_search'),
  ask('Did I already try to turn off the cache in an earlier session?', 'memory_query', 'memory_search'),
  ask('How did we fix the flaky login test last month?', 'memory_query', 'memory_search'),
  ask('Look through my earlier conversations with Codex about the billing bug.', 'memory_query', 'memory_search'),
  ask('What do I prefer for commit messages?', 'memory_query', 'memory_search', 'memory_vsearch'),
  ask('What do you remember about the staging server?', 'memory_query', 'memory_search', 'memory_vsearch'),
  ask('Which command did we use to seed the test database last time?', 'memory_query', 'memory_search'),
  ask('Look for the exact string ERR_TOKEN_EXPIRED in past sessions.', 'memory_search', 'memory_query'),
  ask('Find whatever we noted about slow queries, in any words.', 'memory_vsearch', 'memory_query'),
  ask('Read the whole session that you just found.', 'memory_get'),
  ask('Open search result 1f3c9a02b7aa from line 120 on.', 'memory_get'),
  ask('Get every note that matches memory/2026-*.md at once.', 'memory_multi_get', 'memory_get'),
  ask('Read these hits together: a1b2c3d4e5f6, docs/a.md, docs/b.md.', 'memory_multi_get', 'memory_get'),
  ask('Remember that the CI runner needs Node 24.', 'memory_write'),
  ask('Note for later: the VPN must be off to reach staging.', 'memory_write'),
  ask('I always want tests before code, keep that in mind from now on.', 'memory_write'),
  ask('Save what we learned about the rate limits.', 'memory_write'),
  ask('How many documents does the memory hold, and do all have vectors?', 'memory_status'),
  ask('Refresh the index: you do not find the page I wrote a minute ago.', 'memory_update'),
  ask('Make the source code of this repository searchable.', 'memory_index_codebase'),
  ask('Rename the function getUser to fetchUser everywhere.'),
  ask('Run the unit tests and show me what fails.'),
  ask('Open a pull request with these changes.'),
  ask('Create a ticket for the broken avatar upload.'),
  ask('Take a screenshot of the landing page.'),
  ask('How many orders were placed last week? Ask the production database.'),
  ask('Which files import lodash?'),
]

function ask(says: string, ...right: string[]): ToolRequest {
  return { says, right }
}
