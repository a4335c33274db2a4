/** Whether a host name leads nowhere but to the machine that asks. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || host === '[::1]' || host === '::1'
}
