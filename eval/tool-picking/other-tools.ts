import type { ListedTool } from './pick.ts'

/** Other entries of a tool list: built-in client tools, and commonly connected servers. */
export const OTHER_TOOLS: readonly ListedTool[] = [
  tool('Read', 'Reads a file from the local filesystem, whole or from a line on.', 'file_path offset limit'),
  tool('Edit', 'Performs exact string replacements in files.', 'file_path old_string new_string replace_all'),
  tool('Write', 'Writes a file to the local filesystem, overwriting the existing one.', 'file_path content'),
  tool('Glob', 'Fast file pattern matching: finds files by name pattern.', 'pattern path'),
  tool(
    'Grep',
    'Searches file contents with regular expressions, built on ripgrep.',
    'pattern path glob type output_mode',
  ),
  tool('Bash', 'Executes a shell command: git, npm, tests, builds.', 'command timeout description run_in_background'),
  tool('WebFetch', 'Fetches content from a URL and answers a prompt about it.', 'url prompt'),
  tool('WebSearch', 'Searches the web and returns results with links.', 'query allowed_domains blocked_domains'),
  tool('TodoWrite', 'Creates and manages a task list for the current coding session.', 'todos'),
  tool('Task', 'Launches a new agent to handle a complex, multi-step task.', 'description prompt subagent_type'),
  tool('NotebookEdit', 'Edits a cell of a Jupyter notebook.', 'notebook_path cell_id new_source'),
  tool('AskUserQuestion', 'Asks the user multiple-choice questions to clarify requirements.', 'questions'),
  tool('EnterPlanMode', 'Switches to plan mode to design an approach before coding.', ''),
  tool(
    'LSP',
    'Code intelligence: definitions, references, hover, document symbols.',
    'operation filePath line character',
  ),
  tool(
    'github create_pull_request',
    'Create a new pull request in a GitHub repository.',
    'owner repo title body head base',
  ),
  tool('github list_issues', 'List issues in a GitHub repository, with filters.', 'owner repo state labels since'),
  tool('github search_code', 'Search for code across GitHub repositories.', 'query sort order page'),
  tool('github get_file_contents', 'Get the contents of a file or directory from a repository.', 'owner repo path ref'),
  tool(
    'github list_commits',
    'List the commits of a branch in a GitHub repository.',
    'owner repo sha author since until',
  ),
  tool('github get_pull_request_diff', 'Get the diff of a pull request.', 'owner repo pull_number'),
  tool('linear create_issue', 'Create a new issue in a Linear team.', 'title team description assignee priority'),
  tool(
    'linear list_issues',
    "List issues in the user's Linear workspace.",
    'team state assignee updatedAt query limit',
  ),
  tool('linear update_issue', 'Update the state, title or assignee of an existing Linear issue.', 'id title state'),
  tool(
    'atlassian search_confluence',
    'Search Confluence pages with CQL: documentation, decisions, meeting notes.',
    'cql limit',
  ),
  tool('atlassian get_confluence_page', 'Get the body of one Confluence page by its id.', 'pageId cloudId'),
  tool(
    'notion search',
    'Search pages and databases in the Notion workspace by title and content.',
    'query filter page_size',
  ),
  tool(
    'notion create_page',
    'Create a page in Notion: a document, a note, an entry of a database.',
    'parent properties content',
  ),
  tool('slack search_messages', 'Search messages in Slack channels and conversations.', 'query count sort'),
  tool(
    'slack post_message',
    'Post a message to a Slack channel, e.g. to ask the team something.',
    'channel_id text thread_ts',
  ),
  tool(
    'memory create_entities',
    'Create multiple new entities in the knowledge graph.',
    'entities name entityType observations',
  ),
  tool(
    'memory add_observations',
    'Add new observations to existing entities in the knowledge graph.',
    'observations entityName contents',
  ),
  tool('memory search_nodes', 'Search for nodes in the knowledge graph based on a query.', 'query'),
  tool('memory read_graph', 'Read the entire knowledge graph.', ''),
  tool('postgres query', 'Run a read-only SQL query against the connected database.', 'sql'),
  tool('postgres list_schemas', 'List all schemas and tables in the database.', 'database'),
  tool('playwright browser_navigate', 'Navigate to a URL.', 'url'),
  tool(
    'playwright browser_take_screenshot',
    'Take a screenshot of the current page.',
    'type filename fullPage element',
  ),
  tool('playwright browser_click', 'Click an element on a web page.', 'element ref doubleClick'),
  tool('context7 resolve_library_id', 'Resolves a package name to a library id for its documentation.', 'libraryName'),
  tool(
    'context7 get_library_docs',
    'Fetches up-to-date documentation for a library.',
    'context7CompatibleLibraryID topic tokens',
  ),
  tool(
    'sentry search_issues',
    'Search for grouped errors in Sentry: exceptions, crashes, how often they occur.',
    'organizationSlug query',
  ),
  tool('sentry get_issue_details', 'Get the stack trace and events of one Sentry issue.', 'issueId'),
  tool(
    'sequentialthinking',
    'A tool for dynamic and reflective problem-solving through a sequence of thoughts.',
    'thought nextThoughtNeeded',
  ),
  tool('serena find_symbol', 'Find code symbols by name path in the codebase.', 'name_path relative_path depth'),
  tool(
    'filesystem search_files',
    'Recursively search for files and directories matching a pattern.',
    'path pattern excludePatterns',
  ),
  tool('filesystem read_multiple_files', 'Read the contents of several files at once.', 'paths'),
]

function tool(name: string, description: string, parameters: string): ListedTool {
  return { name, description, hint: '', parameters: parameters.split(' ').filter(Boolean) }
}
