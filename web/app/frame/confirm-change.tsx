import { useState } from 'react'
import type { PageChange } from '../../../src/kernel/ports/page-changes.ts'
import type { WantedCode } from '../api/confirmation.ts'
import { Button } from '../kit/button.tsx'
import { TextDiff } from '../kit/data/text-diff.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { WithCode } from '../kit/with-code.tsx'
import styles from './confirm-change.module.css'

const FORM = 'confirm-change'

/** Shows the changes that a call would make, and a field for the code shown in the terminal. */
export const ConfirmChange = ({ wanted: { change, problem, settle } }: { readonly wanted: WantedCode }) => {
  const [code, setCode] = useState('')
  return (
    <Dialog
      open
      width="wide"
      onClose={() => settle(undefined)}
      title={`Confirm: ${change.title}`}
      description={
        <WithCode>
          This changes what Ken trusts or can reach, so it needs a second confirmation. The terminal that runs `ken app`
          shows the same change and a code; in any other terminal, run `ken confirm`.
        </WithCode>
      }
      actions={
        <>
          <Button onClick={() => settle(undefined)}>Cancel</Button>
          <Button look="primary" type="submit" form={FORM} disabled={code.trim() === ''}>
            Confirm
          </Button>
        </>
      }
    >
      <div className={styles.changes}>
        {change.changes.map((one) => (
          <Change key={one.what} change={one} />
        ))}
      </div>
      <form
        id={FORM}
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          if (code.trim() !== '') settle(code)
        }}
      >
        <TextField
          label="Code"
          autoFocus
          spellCheck={false}
          autoCapitalize="characters"
          placeholder="XXXX-XXXX"
          maxLength={20}
          value={code}
          onChange={({ target }) => setCode(target.value)}
          error={problem}
        />
      </form>
    </Dialog>
  )
}

const Change = ({ change: { what, before, after, diff } }: { readonly change: PageChange }) =>
  diff === undefined && before === undefined && after === undefined ? (
    <p>{what}</p>
  ) : (
    <TextDiff label={what} diff={diff ?? diffOf(before, after)} />
  )

const diffOf = (before: string | undefined, after: string | undefined): string =>
  ['@@ -1 +1 @@', ...(before === undefined ? [] : [`-${before}`]), ...(after === undefined ? [] : [`+${after}`])].join(
    '\n',
  )
