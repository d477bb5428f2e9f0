import { BlockList, isIP } from 'node:net'

/**
 * Whether an address is anything but a server on the public network. An IPv4 address written as IPv6 is checked as
 * IPv4; anything that is not an address, and any address scoped to a network interface, counts as private.
 */
export function isPrivateAddress(address: string): boolean {
  const kind = isIP(address)
  return kind === 0 || address.includes('%') || PRIVATE.check(address, kind === 6 ? 'ipv6' : 'ipv4')
}

const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4')
// Includes the forms of an IPv4 address inside IPv6: translated, 6to4 and Teredo.
for (const [network, bits] of [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6')
