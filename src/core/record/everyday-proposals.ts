/**
 * What people propose in all sorts of projects. How near the best decision of a record comes to them is what chance
 * gives there: the more decisions, and the more different ones, the nearer.
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
Put a chat bubble in the lower right corner
Collect ratings after a support ticket is closed
Import contacts from a spreadsheet
Draw the route on a map
Resize uploaded pictures to three widths
Export the table to a file for accountants
Highlight rows that have been waiting for more than a week
Merge the two welcome screens into one
Count how often each article is opened
Replace the carousel on the landing page with a video
Suggest tags while somebody is typing
Calculate the shipping weight from the parts list
Blink the green lamp twice after pairing
Read the temperature every ten minutes
Show the battery level in the status bar
Calibrate the accelerometer at the factory
Sound a buzzer when the lid stays open
Train a small classifier on last year's tickets
Try a larger batch size for the next run
Plot precision and recall for every class
Summarise long conversations in three sentences
Detect the language of an incoming message
Average the prices of the last thirty days in one view
Join the weather observations to daily sales
Add a column with the region of each branch
Count active accounts per week in a report
Forecast demand for the holiday season
Upgrade the compiler to its latest minor release
Run the formatter over the whole source tree
Rename the helper package to something shorter
Delete unused images from the shared drive
Move the weekly planning to Thursday morning
Give each newcomer a mentor for the first month
Write a tutorial for the plug-in interface
Draw a diagram of all the services for the wiki
`
  .trim()
  .split('\n')

/**
 * What verdicts start from, so that unrelated proposals are told as little by a record of ten thousand as by one of
 * five. Half of the median: a record about the same things as these proposals is near to them for another reason.
 */
export const chanceOf = (bestCosines: readonly number[]): number =>
  (bestCosines.toSorted((a, b) => a - b)[bestCosines.length >> 1] ?? 0) / 2
