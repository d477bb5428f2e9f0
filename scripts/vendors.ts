/** Installs and links the packages of test/vendors, for the nightly suites; `--remove` removes the links. */
import { execSync } from 'node:child_process'
import linkVendors, { unlinkVendors, VENDORS } from './link-vendors.ts'

if (process.argv.includes('--remove')) unlinkVendors()
else {
  execSync('npm install --no-audit --no-fund', { cwd: VENDORS, stdio: 'inherit' })
  linkVendors()
}
