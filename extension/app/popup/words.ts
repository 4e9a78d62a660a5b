import { roomText } from '#extension/i18n/text.ts'

/** Messages of the popup: sign-in, search, settings, what an import left open. */
export const { text, textIfAny } = roomText({
  'home.slow': {
    one: 'The server has not answered yet. Showing {n} item from {time}.',
    other: 'The server has not answered yet. Showing {n} items from {time}.',
  },
  'home.slow_never': 'The server has not answered yet.',
  'home.unknown': 'Your shops and imports appear as soon as the server answers.',
  'home.failed': 'The server returned an unexpected answer. Showing data from {time}.',
  'home.failed_never': 'The server returned an unexpected answer.',
  'home.unsent': { one: '{n} listing is waiting to be sent.', other: '{n} listings are waiting to be sent.' },
  'home.inventory': 'Open the inventory',

  'empty.text': 'or open your closet on {platforms} and press “Import”.',

  'search.label': { one: 'Search {n} item', other: 'Search {n} items' },
  'search.results': 'Items found',
  'search.found': { one: '{n} item found', other: '{n} items found' },
  'search.more': {
    one: 'And {n} more. Type another word to narrow it down.',
    other: 'And {n} more. Type another word to narrow it down.',
  },
  'search.offline': { one: 'Offline. Searching {n} item.', other: 'Offline. Searching {n} items.' },
  'search.close': 'Close search',

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

  'sign_in.server': 'Server',
  'sign_in.email': 'Email',
  'sign_in.password': 'Password',
  'sign_in.key': 'API key',
  'sign_in.busy': 'Signing in…',
  'sign_in.second.title': 'Enter your code',
  'sign_in.second.hint':
    'Open your authenticator app and enter the 6-digit code for Hapax. Without the app, enter a recovery code.',
  'sign_in.second.code': 'Code',
  'sign_in.second.back': 'Start over',
  'sign_in.use_key': 'Use an API key instead',
  'sign_in.new': 'New to Hapax?',
  'sign_in.forgot': 'Forgot your password?',
  'sign_in.use_password': 'Use email and password instead',
  'sign_in.expired_pasted':
    'The API key is no longer valid. With another key this browser starts over: listings that were read but not sent are read again at the next import.',
  'sign_in.token_kept':
    'Signed in. The temporary sign-in could not be ended on the server; it ends when you change your password.',

  'issues.title': '{platform}: to review',
  'issues.none': 'Nothing left to review.',
  'issues.conflicts': 'Decide',
  'issues.in_bulk': 'Review many at once',
  'issues.failures': 'Could not be read',
  'issues.listing': 'Listing {id}',
  'issues.page_changed': '{platform} changed its page: {field} could not be read',
  'issues.page_changed_plain': '{platform} changed its page',
})
