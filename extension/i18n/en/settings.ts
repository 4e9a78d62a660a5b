/** Messages of the popup's account and settings. */
export const settingsMessages = {
  'settings.title': 'Settings',
  'settings.pace': 'Reading a platform’s pages',
  'settings.pace.1000': 'One page a second',
  'settings.pace.2000': 'One page every 2 seconds',
  'settings.pace.5000': 'One page every 5 seconds',
  'settings.pace.10000': 'One page every 10 seconds',
  'settings.pace_hint': 'Slower is easier on the platform.',
  'settings.check': 'Check for sales',
  'settings.check.15': 'Every 15 minutes',
  'settings.check.60': 'Every hour',
  'settings.check.360': 'Every 6 hours',
  'settings.check.0': 'When I visit my shop',
  'settings.check_hint': 'While a page of the platform is open in this browser.',
  'settings.notify': 'Notify me when an item sells',

  'account.title': 'Account and settings',
  'account.who': 'Signed in as',
  'account.who_key': 'Signed in with a pasted API key',
  'account.cached': {
    one: '{n} listing read in your shops is kept in this browser',
    other: '{n} listings read in your shops are kept in this browser',
  },
  'account.sign_out': 'Sign out',
  'account.sign_out_text': 'Signing out deletes everything that Hapax keeps in this browser.',
  'account.unsent': {
    one: '{n} listing was not sent yet and will be lost.',
    other: '{n} listings were not sent yet and will be lost.',
  },
  'account.end_key': 'The key “{name}”, made when you signed in, ends on the server too.',
  'account.key_kept':
    'Signed out, and nothing is kept here. The server did not confirm that the key “{name}” has ended. Nobody has it anymore; you can delete it with your API keys.',
  'account.end_key_later': 'The key itself stays valid. Delete it where you made it.',
  'account.busy': 'Signing out…',
} as const
