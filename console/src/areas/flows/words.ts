import { optionsOf } from '../../parts/index.ts';
export const categoryNames: Record<string, string> = {
  SIGN_UP: 'Sign-up',
  SIGN_IN: 'Sign-in',
  APPOINTMENT_BOOKING: 'Appointment booking',
  LEAD_GENERATION: 'Lead generation',
  CONTACT_US: 'Contact us',
  CUSTOMER_SUPPORT: 'Customer support',
  SURVEY: 'Survey',
  OTHER: 'Other',
};
export const categories = optionsOf(categoryNames);

export const statusOptions = optionsOf(['DRAFT', 'PUBLISHED', 'DEPRECATED', 'THROTTLED', 'BLOCKED']);
