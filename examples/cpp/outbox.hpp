/* Emails as RFC 5322 files, for host.cpp. While the transaction is open, their names end in .part. */
#ifndef HOST_OUTBOX_HPP
#define HOST_OUTBOX_HPP

#include <franking.hpp>

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

inline std::string base64(std::string_view text, std::string_view line_end = "") {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < text.size(); i += 3) {
        const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
        const unsigned group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
        out += digits[group >> 18 & 63];
        out += digits[group >> 12 & 63];
        out += i + 1 < text.size() ? digits[group >> 6 & 63] : '=';
        out += i + 2 < text.size() ? digits[group & 63] : '=';
        if (i % 57 == 54 && i + 3 < text.size()) out += line_end;
    }
    return out;
}

/* A text in a header, as encoded words (RFC 2047) of whole characters: no text can end the header. */
inline std::string words(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::size_t part = std::min<std::size_t>(text.size(), 42);
        while (part < text.size() && part > 1 && (static_cast<unsigned char>(text[part]) & 0xc0) == 0x80) part--;
        out += (out.empty() ? "=?utf-8?B?" : "\r\n =?utf-8?B?") + base64(text.substr(0, part)) + "?=";
        text.remove_prefix(part);
    }
    return out;
}

inline std::string mailbox(std::string_view name, std::string_view address) {
    return (name.empty() ? "" : words(name) + "\r\n ") + "<" + std::string(address) + ">";
}

/* Emails that become visible after the database has committed, and are removed if it has not. */
class Outbox {
public:
    /* Removes what an earlier call with this number has left. The database gives a number again if the COMMIT of the call that
       had it has failed. */
    Outbox(std::filesystem::path folder, std::int64_t call) : folder_(std::move(folder)), call_(call) {
        for (std::size_t number = 1; std::filesystem::remove(part(number)); number++) continue;
    }
    ~Outbox() {
        std::error_code ignored;
        if (!is_kept_) {
            for (const auto &part : parts_) std::filesystem::remove(part, ignored);
        }
    }
    Outbox(const Outbox &) = delete;
    Outbox &operator=(const Outbox &) = delete;

    void write(const franking::Message &message, std::string_view subject, std::string_view html, std::string_view to) {
        const std::string id = name(parts_.size() + 1);
        char date[64];
        const std::time_t now = std::time(nullptr);
        std::tm utc{};
        /* Not std::gmtime, whose result all threads share. */
        gmtime_r(&now, &utc);
        std::strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S +0000", &utc);
        parts_.push_back(part(parts_.size() + 1));
        std::ofstream file(parts_.back(), std::ios::binary);
        file << "Date: " << date << "\r\nMessage-ID: <" << id << "@host.invalid>\r\nFrom: "
             << mailbox(message.from_name.value_or(""), message.from) << "\r\nTo: " << mailbox("", to) << "\r\n";
        if (message.reply_to) file << "Reply-To: " << mailbox("", *message.reply_to) << "\r\n";
        /* For the program that hands the emails to the mail system. */
        if (message.track_opens) file << "X-Track-Opens: 1\r\n";
        if (message.track_clicks) file << "X-Track-Clicks: 1\r\n";
        if (message.custom_field) file << "X-Custom-Field: " << words(*message.custom_field) << "\r\n";
        file << "Subject: " << words(subject) << "\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n"
             << "Content-Transfer-Encoding: base64\r\n\r\n" << base64(html, "\r\n") << "\r\n";
        if (!file.flush()) throw std::runtime_error("an email could not be written");
    }

    /* Call it before the database commits. From then on only the database knows whether the emails are to be sent. */
    void keep() noexcept { is_kept_ = true; }

    /* Call it after the database has committed. A file that cannot be renamed now is renamed at the next start. */
    void publish() noexcept {
        std::error_code failure;
        for (const auto &part : parts_) {
            std::filesystem::path whole = part;
            std::filesystem::rename(part, whole.replace_extension(), failure);
            if (failure) std::cerr << "an email could not be published: " << failure.message() << '\n';
        }
        parts_.clear();
    }

private:
    std::string name(std::size_t number) const { return std::to_string(call_) + "-" + std::to_string(number); }
    std::filesystem::path part(std::size_t number) const { return folder_ / (name(number) + ".eml.part"); }

    std::filesystem::path folder_;
    std::int64_t call_;
    bool is_kept_ = false;
    std::vector<std::filesystem::path> parts_;
};

#endif
