/**
 * Proposals from all sorts of projects. A proposal near to many of them is general, and near to every record for that
 * reason alone.
 */
export const EVERYDAY_PROPOSALS: readonly string[] = `
Show the newest entries at the top of the overview
Let users rename a folder from its context menu
Add a keyboard shortcut that opens the command palette
Round the corners of all cards and buttons
Ask for the date of birth during registration
Print a summary page with the logo of the customer
Remember which tab was open when somebody comes back
Warn before leaving a page with unsaved input
Offer a dark theme in the preferences
Let a manager invite colleagues by email
Group the settings into four sections
Send a reminder two days before an appointment
Translate the help pages into Spanish
Offer a chat with the support team
Collect ratings after a support ticket is closed
Import contacts from a spreadsheet
Draw the route on a map
Resize uploaded pictures to three widths
Export the table to a file for accountants
Highlight rows that have been waiting for more than a week
Count how often each article is opened
Mark entries with coloured tags
Show a progress bar while a file is uploaded
Let people undo the last deletion for ten seconds
Sort search results by date or by relevance
Add a filter for archived items
Validate the phone number as it is typed
Show a tooltip that explains each field
Load more results when the user scrolls down
Let administrators impersonate a user for support
Send a weekly digest of activity by email
Add a page that lists all active sessions
Let users download all of their data
Show an empty state with a hint when a list has no items
Make the navigation collapse on small screens
Support screen readers in the date picker
Store user preferences in a table of their own
Add an index to speed up the slowest query
Archive rows older than two years
Add a column that records who changed a row
Use optimistic locking when two people edit the same record
Split the large table by month
Keep a history of every price change
Delete accounts that have not been confirmed after a month
Encrypt sensitive columns at rest
Take a backup of the database every night
Restore a backup into staging once a month
Run reports on a read replica
Replace numeric identifiers with random ones
Validate incoming data against a schema
Store amounts of money as integers
Save all timestamps in UTC
Cache the result of expensive calculations
Expire cached entries after five minutes
Move long-running work into background jobs
Retry failed jobs with growing delays
Send events to a message queue
Process each message exactly once
Write a dead letter queue for messages that fail
Run the nightly import at three in the morning
Limit the number of requests per client
Return errors in one common format
Version the public API in its path
Paginate long lists in the API with cursors
Generate client libraries from the API description
Deprecate the old endpoint over six months
Accept requests in batches
Compress large responses
Let clients choose which fields are returned
Send a webhook when an order changes its state
Sign webhooks so that receivers can check them
Add a health check endpoint
Set a timeout on every outgoing call
Stop calling a service that keeps failing
Put a proxy in front of the application servers
Serve static files from a content delivery network
Balance requests over three servers
Run the application in containers
Describe the infrastructure as code
Deploy every merged change automatically
Roll out a release to a tenth of the users first
Roll back a deployment with one command
Switch features on and off without a deployment
Create a preview environment for each pull request
Scale the workers with the length of the queue
Run the service in a second region
Move the servers to another cloud provider
Keep secrets in a vault
Rotate the signing keys every quarter
Sign in with a company account
Require a second factor for administrators
Sign users out after thirty minutes without activity
Give each role a fixed set of permissions
Write an audit log of administrative actions
Scan dependencies for known vulnerabilities
Escape all user input before it is shown
Restrict access to the internal network
Hash passwords with a slower function
Collect metrics from every service
Alert the team when the error rate rises
Write logs as structured records
Keep logs for ninety days
Trace a request through all services
Report crashes with their stack traces
Show the state of all systems on a public page
Measure how long pages take to load
Write unit tests for the new module
Run browser tests on every pull request
Test the service against a copy of production data
Replace mocks with a real database in tests
Require ninety percent test coverage
Run the slow tests only at night
Compare screenshots to find visual changes
Load test the system before each release
Use a linter to enforce the code style
Run the formatter over the whole source tree
Check types strictly in the whole project
Require two reviews for every change
Squash commits when a branch is merged
Generate the changelog from commit messages
Number releases by semantic versioning
Keep all packages in one repository
Split the repository by team
Publish the shared code as a package
Rename the helper package to something shorter
Rewrite the slow part in a faster language
Upgrade the framework to its next major version
Upgrade the compiler to its latest minor release
Replace the build tool with a faster one
Load parts of the page only when they are needed
Keep the state of the page in one store
Share components between the web and the mobile app
Style components with utility classes
Send finished markup instead of an empty page
Work offline and synchronise later
Separate the domain logic from the framework
Split the monolith into services
Merge two services that always change together
Use dependency injection for external services
Define interfaces between modules
Load plug-ins from a folder
Read the configuration from environment variables
Validate the configuration when the program starts
Add a command that prints the version
Write a tutorial for the plug-in interface
Document each decision in the repository
Draw a diagram of all the services for the wiki
Train a small classifier on last year's tickets
Summarise long conversations in three sentences
Detect the language of an incoming message
Plot precision and recall for every class
Forecast demand for the holiday season
Join the weather observations to daily sales
Add a column with the region of each branch
Read the temperature every ten minutes
Show the battery level in the status bar
Update the firmware over the air
Blink the green lamp twice after pairing
Calibrate the sensor at the factory
Move the weekly planning to Thursday morning
Give each newcomer a mentor for the first month
`
  .trim()
  .split('\n')

const NEAREST = 10

/** Generality of a proposal: the mean of its highest cosines to the everyday proposals. */
export const generalityOf = (cosines: readonly number[]): number =>
  cosines
    .toSorted((a, b) => b - a)
    .slice(0, NEAREST)
    .reduce((sum, cosine) => sum + cosine, 0) / NEAREST
