import { describeAsking } from './models/describe-asking.ts'
import { describeProvider, INSTALLED_APART } from './models/describe-provider.ts'

for (const provider of INSTALLED_APART) describeProvider(provider)
describeAsking(INSTALLED_APART)
