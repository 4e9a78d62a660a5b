/** A mail service: how its mailboxes are read, and where an app password for it is made. */
interface MailboxService {
  name: string
  host: string
  /** The page that makes app passwords. Null where the service takes no passwords from other programs. */
  passwords: string | null
}

const google = { name: 'Google', host: 'imap.gmail.com', passwords: 'https://myaccount.google.com/apppasswords' }
const microsoft = { name: 'Outlook', host: 'outlook.office365.com', passwords: null }
const apple = { name: 'Apple', host: 'imap.mail.me.com', passwords: 'https://account.apple.com/account/manage' }
const yahoo = {
  name: 'Yahoo',
  host: 'imap.mail.yahoo.com',
  passwords: 'https://login.yahoo.com/myaccount/security/app-password',
}
const fastmail = {
  name: 'Fastmail',
  host: 'imap.fastmail.com',
  passwords: 'https://app.fastmail.com/settings/security/apps',
}

/** Services by the domain of an address. A name that ends in a dot stands for the domains of all countries. */
const services: Record<string, MailboxService> = {
  ...{ 'gmail.com': google, 'googlemail.com': google },
  ...{ 'outlook.': microsoft, 'hotmail.': microsoft, 'live.': microsoft, 'msn.com': microsoft },
  ...{ 'icloud.com': apple, 'me.com': apple, 'mac.com': apple },
  ...{ 'yahoo.': yahoo, 'ymail.com': yahoo, 'rocketmail.com': yahoo },
  ...{ 'fastmail.com': fastmail, 'fastmail.fm': fastmail },
}

/** Returns the service of an email address, or null for a domain that could be anywhere. */
export function mailboxServiceOf(email: string): MailboxService | null {
  const domain = email.trim().toLowerCase().split('@')[1] ?? ''
  const known = Object.keys(services).find((name) =>
    name.endsWith('.')
      ? domain.startsWith(name) && /^[a-z]{2,3}(\.[a-z]{2})?$/.test(domain.slice(name.length))
      : domain === name,
  )
  return known === undefined ? null : services[known]!
}
