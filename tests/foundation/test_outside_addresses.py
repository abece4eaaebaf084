"""An address that somebody typed leads to the public internet alone, whichever Python runs."""

from ipaddress import ip_address

import pytest

from pms.foundation.outside_reading import is_public

INSIDE = (
    *("0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.31.0.1"),
    *("192.0.0.1", "192.0.0.8", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.0.1"),
    *("198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::7f00:1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1"),
    *("100:0:0:1::1", "2001::1", "2001:2::1", "2001:10::1", "2001:db8::1", "2002:a00:1::1"),
    *("3fff::1", "5f00::1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1"),
)


@pytest.mark.parametrize("text", INSIDE)
def test_an_address_of_a_special_range_is_an_inner_one(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize(
    "text",
    ["1.1.1.1", "192.0.1.1", "203.0.112.1", "2606:4700::1111", "2400:8500::1", "::ffff:8.8.8.8"],
)
def test_an_address_of_the_internet_is_gone_to(text: str) -> None:
    assert is_public(ip_address(text))
