/** True for documents of any kind, including cloud templates: only the resources in them count. */
export const mayDescribeCloud = (path: string): boolean => /\.(?:jsonc?|template|bicep)$/.test(path)

/**
 * The cloud resources that a line requests, as named by CloudFormation, ARM, Bicep, Terraform and the Serverless
 * Framework: `AWS::KMS::Key`, `Microsoft.ServiceBus/namespaces`, `aws_kms_key`.
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

/**
 * A resource type as the vendor names it in prose: `azurerm_data_factory` and `Microsoft.DataFactory` spell it
 * differently.
 */
const asAzure = (type: string): string[] =>
  /^(?:azurerm_|Microsoft\.)/.test(type)
    ? [
        `azure ${type.replace(/^(?:azurerm_|Microsoft\.)/, '').replaceAll(/(?<=[a-z])(?=[A-Z])|[/_]/g, ' ')}`.toLowerCase(),
      ]
    : []

/** `provider: { name: aws }` runs functions on Lambda, and `- httpApi` puts API Gateway in front of them. */
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

/** Whether a new file describes an AWS stack, whatever its name. */
export const isCloudFormation = (path: string, line: string): boolean =>
  !/(?:^|\/)serverless\./.test(path) &&
  /^\s*["']?Type["']?\s*:\s*["']?AWS::[A-Za-z0-9]+::|"Type":\s*"AWS::[A-Za-z0-9]+::/.test(line)
