/** Messages of signing in. */
export const signInMessages = {
  'sign_in.server': 'Server',
  'sign_in.email': 'Email',
  'sign_in.password': 'Password',
  'sign_in.key': 'API key',
  'sign_in.submit': 'Sign in',
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
  'sign_in.expired': 'You have been signed out. Sign in again; nothing was lost.',
  'sign_in.expired_pasted':
    'The API key is no longer valid. With another key this browser starts over: listings that were read but not sent are read again at the next import.',
  'sign_in.token_kept':
    'Signed in. The temporary sign-in could not be ended on the server; it ends when you change your password.',
} as const
