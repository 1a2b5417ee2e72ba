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
export const categories = Object.entries(categoryNames).map(([value, label]) => ({ value, label }));

export const statusOptions = ['DRAFT', 'PUBLISHED', 'DEPRECATED', 'THROTTLED', 'BLOCKED'].map((value) => ({
  value,
  label: value.charAt(0) + value.slice(1).toLowerCase(),
}));
