package frame

import (
	"reflect"
	"strings"
	"testing"
)

// TestReadHills checks that texts of hills are read, and that wrong ones are refused with the reason.
func TestReadHills(t *testing.T) {
	got, err := ReadHills("-3_1_0.9_10~2_2_0.5_4")
	if want := []Hill{{-3, 1, .9, 10}, {2, 2, .5, 4}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if text := HillsText(got); text != "-3_1_0.9_10~2_2_0.5_4" {
		t.Errorf("written as %s", text)
	}
	if text := HillsText([]Hill{{-.0001, 1.23456, .5, 1}}); text != "0_1.235_0.5_1" {
		t.Errorf("rounded to %s", text)
	}
	for text, want := range map[string]string{"1_2_3": "is not a hill", "1_2_3_4_5": "is not a hill", "a_2_1_1": "not a number",
		"NaN_2_1_1": "not a number", "21_0_1_1": "too far away", "0_0_0.01_1": "standard deviation", "0_0_1_0": "the mass",
		"0_0_Inf_1": "standard deviation", strings.Repeat("0_0_1_1~", MaxHills) + "0_0_1_1": "at most 12"} {
		if _, err := ReadHills(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// FuzzReadHills checks that the text of what was read is read again as the same hills, up to rounding.
func FuzzReadHills(f *testing.F) {
	f.Add("-3_1_0.9_10~2_2_0.5_4")
	f.Fuzz(func(t *testing.T, text string) {
		hills, err := ReadHills(text)
		if err != nil || len(hills) == 0 {
			return
		}
		again, err := ReadHills(HillsText(hills))
		if err != nil || len(again) != len(hills) || HillsText(again) != HillsText(hills) {
			t.Errorf("%q: %v, %v", text, again, err)
		}
	})
}
