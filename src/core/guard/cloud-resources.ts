/** Documents of any kind, among them what a cloud reads: only the resources in them count. */
export const mayDescribeCloud = (path: string): boolean => /\.(?:jsonc?|template|bicep)$/.test(path)

/**
 * The resources that a line asks a cloud for, as CloudFormation, ARM, Bicep, Terraform and the Serverless Framework name
 * them: `AWS::KMS::Key`, `Microsoft.ServiceBus/namespaces`, `aws_kms_key`.
 */
export function resourcesIn(path: string, line: string): string[] {
  const types = [...line.matchAll(RESOURCE)].map(([, aws, microsoft, terraform]) => (aws ?? microsoft ?? terraform)!)
  return [
    ...types.flatMap((type) => [type, ...asAzure(type)]),
    ...(line.includes('AWSTemplateFormatVersion') ? ['CloudFormation'] : []),
    ...(/(?:^|\/)serverless\.(?:ya?ml|json)$/.test(path) ? serverlessNames(line) : []),
  ]
}

const RESOURCE =
  /\b(AWS::[A-Za-z0-9]+(?:::[A-Za-z0-9]+)?)|["'](Microsoft\.[A-Za-z]+\/[A-Za-z/]+)(?=["'@])|^\s*(?:resource|data)\s+"([a-z0-9]+_[a-z0-9_]+)"/g

/** The name of the vendor, which its resource types spell otherwise: `azurerm_data_factory`, `Microsoft.DataFactory`. */
const asAzure = (type: string): string[] =>
  /^(?:azurerm_|Microsoft\.)/.test(type)
    ? [
        `azure ${type.replace(/^(?:azurerm_|Microsoft\.)/, '').replaceAll(/(?<=[a-z])(?=[A-Z])|[/_]/g, ' ')}`.toLowerCase(),
      ]
    : []

/** `provider: { name: aws }` runs functions on Lambda, and `- httpApi` puts the gateway before them. */
function serverlessNames(line: string): string[] {
  const provider = /^\s*["']?name["']?\s*:\s*["']?(aws|google|azure|cloudflare)\b["']?,?\s*$/.exec(line)?.[1]
  return [
    ...(provider === undefined ? [] : [FUNCTIONS_OF[provider]!]),
    ...(/^\s*-\s+(?:http|httpApi)\b/.test(line) ? ['AWS API Gateway'] : []),
  ]
}

const FUNCTIONS_OF: Readonly<Record<string, string>> = {
  aws: 'AWS Lambda',
  google: 'Google Cloud Functions',
  azure: 'Azure Functions',
  cloudflare: 'Cloudflare Workers',
}

/** Whether a new file describes a stack of AWS, whatever it is called. */
export const isCloudFormation = (path: string, line: string): boolean =>
  !/(?:^|\/)serverless\./.test(path) &&
  /^\s*["']?Type["']?\s*:\s*["']?AWS::[A-Za-z0-9]+::|"Type":\s*"AWS::[A-Za-z0-9]+::/.test(line)
