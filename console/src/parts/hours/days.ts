export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof weekdays)[number];

export const dayName = (day: string): string => day.charAt(0).toUpperCase() + day.slice(1).toLowerCase();
